#if Server
    import Synchronization
    import TapeFormat
    import TapeSockets

    /// Pushes on their way into apps: each waits for the app's answer and the commit of what it caused.
    final class Pushes: Sendable {
        enum Answer: Sendable {
            /// The event that the push caused is committed.
            case played(seq: Int, filled: [String], ignored: [String])
            case failed(Pushed.Failure)
            case noAnswer
            /// The connection was lost; whether the app played it isn't known.
            case gone
            case tooLong(max: Int)
        }

        private struct Waiting {
            let link: AppLink
            let deadline: Scheduled
            let then: @Sendable (Answer) -> Void
            /// The app's answer, while its event isn't committed.
            var played: Answer?
            var seq = 0
        }

        private let loop: EventLoop
        private let timeout: Duration
        private let waiting = Mutex<[String: Waiting]>([:])

        init(loop: EventLoop, timeout: Duration) {
            self.loop = loop
            self.timeout = timeout
        }

        /// Plays something into an app. `then` is called once, on any thread.
        func play(
            _ content: Push.Content, store: String, into link: AppLink, then: @escaping @Sendable (Answer) -> Void
        ) {
            let expires = Int(timeout / .milliseconds(1))
            let push = Push(id: RandomName.make(), store: store, expires: expires, content: content)
            guard content.value.fits(inside: 2) else {
                let message = "what is pushed is nested deeper than \(Limits.nesting - 2)"
                return then(.failed(Pushed.Failure(code: "unsupported", message: message)))
            }
            let line = ServerLine.push(push)
            guard line.bytes.count <= link.maxMessage else { return then(.tooLong(max: link.maxMessage)) }
            let deadline = loop.schedule(after: timeout) { [weak self] in self?.finish(push.id, .noAnswer) }
            waiting.withLock { $0[push.id] = Waiting(link: link, deadline: deadline, then: then) }
            link.send(line)
            // It may have been lost between the look-up and the entry above.
            if !link.isLive { finish(push.id, .gone) }
        }

        /// An app's answer; one that nobody waits for is ignored.
        func answered(_ pushed: Pushed, _ link: AppLink) {
            switch pushed.result {
            case .failed(let failure): finish(pushed.id, .failed(failure))
            case .played(let seq, let filled, let ignored):
                waiting.withLock { waiting in
                    waiting[pushed.id]?.played = .played(seq: seq, filled: filled, ignored: ignored)
                    waiting[pushed.id]?.seq = seq
                }
                committed(link)
            }
        }

        /// The link's app has more events committed.
        func committed(_ link: AppLink) {
            let next = link.committed
            let done = waiting.withLock { waiting in
                waiting.filter { $0.value.link === link && $0.value.seq < next }
                    .compactMap { id, push in push.played.map { (id, $0) } }
            }
            for (id, answer) in done { finish(id, answer) }
        }

        func gone(_ link: AppLink) {
            for id in waiting.withLock({ $0.filter { $0.value.link === link }.map(\.key) }) { finish(id, .gone) }
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
#endif
