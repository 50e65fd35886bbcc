package import Dispatch
import TapeFormat

/// Carries out the actions of a ``LinkState`` with a connection and timers. Used on its queue only.
///
/// An input that arrives while actions are carried out waits for them: its line must not be sent before the lines that
/// were just sent.
// Unchecked: callbacks from other threads go to the queue.
package final class Link: @unchecked Sendable {
    /// How a link reaches the server.
    package struct Route {
        let queue: DispatchQueue
        /// A monotonic clock.
        let now: () -> Duration
        /// - Parameter hear: Receives the connection's events, on any thread.
        let connect: (_ hear: @escaping @Sendable (TransportEvent) -> Void) throws -> any TransportConnection

        package init(
            queue: DispatchQueue, now: @escaping () -> Duration,
            connect: @escaping (_ hear: @escaping @Sendable (TransportEvent) -> Void) throws -> any TransportConnection
        ) {
            (self.queue, self.now, self.connect) = (queue, now, connect)
        }
    }

    package var state: LinkState
    package weak var owner: (any LinkOwner)?
    private let route: Route
    private var connection: (any TransportConnection)?
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

    package func feed(_ input: LinkState.Input) {
        guard !isClosed else { return }
        inputs.append(input)
        guard inputs.count == 1 else { return }
        var index = 0
        while index < inputs.count, !isClosed {
            if case .transport(.opened) = inputs[index] { owner?.willGreet() }
            for action in state.handle(inputs[index], at: route.now()) { perform(action) }
            index += 1
        }
        inputs = []
        if !isClosed { owner?.didPerform() }
    }

    /// Closes the connection after the queued messages, and ignores its later events.
    package func disconnect(code: UInt16 = CloseCode.normal.rawValue, reason: String = "") {
        attempt += 1
        connection?.close(code: code, reason: reason)
        connection = nil
    }

    /// Closes the connection for good.
    package func close() {
        disconnect()
        isClosed = true
    }

    private func perform(_ action: LinkState.Action) {
        switch action {
        case .connect: connect()
        case .send(let message): connection?.send(message)
        case .disconnect(let code, let reason): disconnect(code: code, reason: reason)
        case .compress: connection = connection.map { CompressedConnection($0) }
        case .wait(let timer, let delay): wait(for: timer, delay)
        default: owner?.perform(action)
        }
    }

    private func connect() {
        attempt += 1
        let attempt = attempt
        do {
            connection = try route.connect { [weak self] event in
                guard let self else { return }
                route.queue.async { [self] in
                    if attempt == self.attempt { feed(.transport(event)) }
                }
            }
        } catch {
            feed(.transport(.closed(code: nil, reason: String(describing: error))))
        }
    }

    private func wait(for timer: LinkState.Timer, _ delay: Duration) {
        let number = waits[timer, default: 0] + 1
        waits[timer] = number
        route.queue.asyncAfter(deadline: .now() + delay.milliseconds / 1_000) { [weak self] in
            if let self, waits[timer] == number { feed(.timer(timer)) }
        }
    }
}

/// Carries out those actions of a link that are not the connection's.
package protocol LinkOwner: AnyObject {
    func perform(_ action: LinkState.Action)
    /// The link is connected, and sends the header next.
    func willGreet()
    /// All inputs so far were handled, and their actions carried out.
    func didPerform()
}

extension LinkOwner {
    package func willGreet() {}
}
