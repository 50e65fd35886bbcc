import TapeFormat

/// A link to the server: its state, its connection and its timers.
///
/// It carries out those actions of its ``LinkState`` that concern the connection; the others are its owner's. An input that
/// arrives while actions are carried out waits for them: its line must not be sent before the lines that were just sent.
package final class Link {
    /// How a link reaches the server.
    package struct Route {
        /// Calls a closure later, where the link is used.
        let later: (_ delay: Duration, _ body: @escaping () -> Void) -> Void
        /// A monotonic clock.
        let now: () -> Duration
        /// - Parameter hear: Receives the connection's events, where the link is used.
        let connect: (_ hear: @escaping (TransportEvent) -> Void) throws -> TransportConnection

        package init(
            later: @escaping (_ delay: Duration, _ body: @escaping () -> Void) -> Void,
            now: @escaping () -> Duration,
            connect: @escaping (_ hear: @escaping (TransportEvent) -> Void) throws -> TransportConnection
        ) {
            (self.later, self.now, self.connect) = (later, now, connect)
        }
    }

    package var state: LinkState
    /// Gets what the connection says, and the timers. The owner feeds it to the link.
    package var arrived: (LinkState.Input) -> Void = { _ in }
    private let route: Route
    private var connection: TransportConnection?
    /// Compresses the messages of the connection; nil while they are sent as they are.
    private var deflater: Deflater?
    /// The number of the current connection; events of earlier ones are ignored.
    private var attempt = 0
    /// The number of the current wait for each timer.
    private var waits: [LinkState.Timer: Int] = [:]
    /// The inputs that are not handled yet. The first one is being handled.
    private var inputs: [LinkState.Input] = []
    private var isClosed = false

    package init(_ state: LinkState, _ route: Route) {
        self.state = state
        self.route = route
    }

    /// Handles an input.
    ///
    /// - Parameter perform: Carries out an action that does not concern the connection.
    /// - Returns: Whether all inputs so far were handled. The call that handles an earlier input handles this one, too.
    @discardableResult
    package func feed(_ input: LinkState.Input, _ perform: (LinkState.Action) -> Void) -> Bool {
        guard !isClosed else { return false }
        inputs.append(input)
        guard inputs.count == 1 else { return false }
        var index = 0
        while index < inputs.count, !isClosed {
            for action in state.handle(inputs[index], at: route.now()) {
                if !carryOut(action) { perform(action) }
            }
            index += 1
        }
        inputs.removeAll(keepingCapacity: true)
        return !isClosed
    }

    /// Closes the connection after the queued messages, and ignores its later events.
    package func disconnect(code: UInt16 = CloseCode.normal.rawValue, reason: String = "") {
        attempt += 1
        connection?.close(code, reason)
        connection = nil
    }

    /// Closes the connection for good.
    package func close() {
        disconnect()
        isClosed = true
    }

    /// - Returns: False if the action does not concern the connection.
    private func carryOut(_ action: LinkState.Action) -> Bool {
        switch action {
        case .connect: connect()
        case .send(let message): connection?.send(deflater?.compressed(message) ?? message)
        case .disconnect(let code, let reason): disconnect(code: code, reason: reason)
        case .compress: deflater = Deflater()
        case .wait(let timer, let delay): wait(for: timer, delay)
        default: return false
        }
        return true
    }

    private func connect() {
        attempt += 1
        let attempt = attempt
        deflater = nil
        do {
            connection = try route.connect { [weak self] event in
                if let self, attempt == self.attempt { arrived(.transport(event)) }
            }
        } catch {
            arrived(.transport(.closed(code: nil, reason: String(describing: error))))
        }
    }

    private func wait(for timer: LinkState.Timer, _ delay: Duration) {
        let number = waits[timer, default: 0] + 1
        waits[timer] = number
        route.later(delay) { [weak self] in
            if let self, waits[timer] == number, !isClosed { arrived(.timer(timer)) }
        }
    }
}
