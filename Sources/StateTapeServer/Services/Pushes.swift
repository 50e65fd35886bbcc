import TapeArchive
import TapeFormat
import TapeSockets

/// Pushes that were sent to apps. Each waits for the app's answer and for the commit of the resulting event.
final class Pushes: Sendable {
    enum Answer: Sendable {
        /// The app applied the push, and the resulting event is committed.
        case played(seq: Int, Adjustments)
        case failed(Pushed.Failure)
        case noAnswer
        /// The connection was lost. It isn't known whether the app applied the push.
        case connectionLost
        case tooLong(max: Int)
    }

    private struct Waiting {
        let link: AppLink
        let deadline: Scheduled
        let then: @Sendable (Answer) -> Void
        /// The app's answer, until its event is committed.
        var played: Answer?
        var seq = 0
    }

    private let loop: EventLoop
    private let timeout: Duration
    private let waiting = Locked<[String: Waiting]>([:])

    init(loop: EventLoop, timeout: Duration) {
        self.loop = loop
        self.timeout = timeout
    }

    /// Applies a state or action in the app. Calls `then` once, on any thread.
    ///
    /// - Parameter travel: The event whose state is only looked at.
    func play(
        _ content: Push.Content, store: String, isExact: Bool = false, travel: Int? = nil, into link: AppLink,
        then: @escaping @Sendable (Answer) -> Void
    ) {
        let timeout = timeout + Self.time(toRead: content.value)
        let expires = Int(timeout / .milliseconds(1))
        let push = Push(
            id: RandomName.make(), store: store, expires: expires, isExact: isExact, travel: travel,
            content: content)
        guard content.value.fits(inside: 2) else {
            let message = "the pushed value is nested deeper than \(Limits.nesting - 2)"
            return then(.failed(Pushed.Failure(code: "unsupported", message: message)))
        }
        let line = ServerLine.push(push)
        guard line.bytes.count <= link.maxMessage else { return then(.tooLong(max: link.maxMessage)) }
        let deadline = loop.schedule(after: timeout) { [weak self] in self?.finish(push.id, .noAnswer) }
        waiting.withLock { $0[push.id] = Waiting(link: link, deadline: deadline, then: then) }
        link.send(line)
        // The app may have disconnected after the lookup, before `waiting` had this push.
        if !link.isLive { finish(push.id, .connectionLost) }
    }

    /// A large state takes an app a while: one of 10 MB takes a debug build six seconds.
    private static func time(toRead value: JSON) -> Duration {
        .milliseconds(((try? JSON.Footprint(value))?.text ?? 0) >> 10)
    }

    /// Handles an app's answer. An answer to an unknown push is ignored.
    func answered(_ pushed: Pushed, _ link: AppLink) {
        switch pushed.result {
        case .failed(let failure): finish(pushed.id, .failed(failure))
        case .played(let seq, let adjustments):
            waiting.withLock { waiting in
                waiting[pushed.id]?.played = .played(seq: seq, adjustments)
                waiting[pushed.id]?.seq = seq
            }
            committed(link)
        }
    }

    /// More events of the link's app are committed.
    func committed(_ link: AppLink) {
        let next = link.committed
        let done = waiting.withLock { waiting in
            waiting.filter { $0.value.link === link && $0.value.seq < next }
                .compactMap { id, push in push.played.map { (id, $0) } }
        }
        for (id, answer) in done { finish(id, answer) }
    }

    func disconnected(_ link: AppLink) {
        for id in waiting.withLock({ $0.filter { $0.value.link === link }.map(\.key) }) {
            finish(id, .connectionLost)
        }
    }

    private func finish(_ id: String, _ answer: Answer) {
        guard let push = waiting.withLock({ $0.removeValue(forKey: id) }) else { return }
        push.deadline.cancel()
        push.then(answer)
    }
}

extension Push.Content {
    fileprivate var value: JSON {
        switch self {
        case .state(let value), .action(let value): value
        }
    }
}

extension Pushes: CoreService {
    func handle(_ event: CoreEvent) {
        switch event {
        case .committed(_, _, let link?): committed(link)
        case .answered(let answer, let link): answered(answer, link)
        case .disconnected(let link): disconnected(link)
        default: break
        }
    }
}
