import TapeArchive
import TapeFormat
import TapeSockets

/// A push as the app gets it. Made off the loop's thread, since its value may be large.
struct PreparedPush: Sendable {
    let id = RandomName.make()
    let timeout: Duration
    let message: [UInt8]

    /// - Parameters:
    ///   - timeout: How long an app may take for a small value.
    ///   - travel: The event whose state is only looked at.
    /// - Throws: The answer, if the app can't get such a value.
    init(
        _ content: Push.Content, store: String, isExact: Bool = false, travel: Int? = nil, timeout: Duration,
        maxMessage: Int
    ) throws(Pushes.Answer) {
        self.timeout = timeout + Self.time(toRead: content.value)
        guard content.value.fits(inside: 2) else {
            let message = "the pushed value is nested deeper than \(Limits.nesting - 2)"
            throw .failed(Pushed.Failure(code: .unsupported, message: message))
        }
        let push = Push(
            id: id, store: store, expires: Int(self.timeout / .milliseconds(1)), isExact: isExact, travel: travel,
            content: content)
        message = ServerLine.push(push).bytes
        guard message.count <= maxMessage else { throw .tooLong(max: maxMessage) }
    }

    /// A large state takes an app a while: one of 10 MB takes a debug build six seconds.
    private static func time(toRead value: JSON) -> Duration {
        .milliseconds(((try? JSON.Footprint(value))?.text ?? 0) >> 10)
    }
}

/// Pushes that were sent to apps. Each waits for the app's answer and for the commit of the resulting event. On the loop's
/// thread.
final class Pushes {
    enum Answer: Error {
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
        /// The app has disconnected after its answer: only the commit is missing.
        var isLost = false
        let deadline: Scheduled
        let then: (Answer) -> Void
        /// The app's answer, until its event is committed.
        var played: Answer?
        var seq = 0
    }

    private let loop: EventLoop
    private var waiting: [String: Waiting] = [:]

    init(on loop: EventLoop) {
        self.loop = loop
    }

    /// Applies a state or action in an app that is live. Calls `then` once.
    func play(_ push: PreparedPush, into link: AppLink, then: @escaping (Answer) -> Void) {
        let deadline = loop.later(after: push.timeout) { [weak self] in self?.overdue(push.id) }
        waiting[push.id] = Waiting(link: link, deadline: deadline, then: then)
        link.send(push.message)
    }

    /// Handles an app's answer. An answer to an unknown push is ignored.
    private func answered(_ pushed: Pushed, _ link: AppLink) {
        switch pushed.result {
        case .failed(let failure): finish(pushed.id, .failed(failure))
        case .played(let seq, let adjustments):
            waiting[pushed.id]?.played = .played(seq: seq, adjustments)
            waiting[pushed.id]?.seq = seq
            committed(link)
        }
    }

    /// More events of the link's app are committed.
    private func committed(_ link: AppLink) {
        for (id, push) in waiting where push.link === link && push.seq < link.committed {
            if let answer = push.played { finish(id, answer) }
        }
    }

    /// The app sent the event before its answer, so that its commit is under way.
    private func disconnected(_ link: AppLink) {
        for (id, push) in waiting where push.link === link {
            if push.played == nil { finish(id, .connectionLost) } else { waiting[id]?.isLost = true }
        }
    }

    private func overdue(_ id: String) {
        finish(id, waiting[id]?.isLost == true ? .connectionLost : .noAnswer)
    }

    private func finish(_ id: String, _ answer: Answer) {
        guard let push = waiting.removeValue(forKey: id) else { return }
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
