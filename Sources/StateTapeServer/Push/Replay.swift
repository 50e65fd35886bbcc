#if Server
    import TapeFormat

    /// A recorded session's actions played into a new run, and what became of it.
    struct Replay: Sendable {
        enum Status: String, Sendable {
            case running, done, failed
            /// The app was gone before the end.
            case lost
        }

        /// The first event after which the new run's state is another than the recorded one.
        struct Divergence: Sendable {
            /// The recorded event, and the new one.
            let of: Int
            let seq: Int
            let store: String
            /// From the recorded state to the new one.
            let patch: Patch
        }

        /// A longer patch is told by its paths.
        private static let maxPatch = 16 << 10

        /// The start's id.
        let start: String
        let source: String
        /// The recorded event whose states the run begins with, and the last one that is replayed.
        let from: Int
        let through: Int
        var status = Status.running
        /// The recorded event that was played last.
        var at: Int?
        var played = 0
        /// How many states were held against each other, up to the first that differs.
        var compared = 0
        /// Actions that no message to the app could hold.
        var tooLong = 0
        var divergence: Divergence?
        var error: Pushed.Failure?

        init(start: String, source: String, from: Int, through: Int) {
            self.start = start
            self.source = source
            self.from = from
            self.through = through
        }

        mutating func fail(_ failure: Pushed.Failure) {
            status = .failed
            error = failure
        }

        var json: JSON {
            var json = JSON.Object([
                ("session", .string(source)), ("from", .number(.init(from))), ("through", .number(.init(through))),
                ("status", .string(status.rawValue)), ("played", .number(.init(played))),
                ("compared", .number(.init(compared))),
            ])
            json["at"] = at.map { .number(.init($0)) }
            if tooLong > 0 { json["tooLong"] = .number(.init(tooLong)) }
            json["divergence"] = divergence?.json
            json["error"] = error.map { error in
                var json = JSON.Object([("code", .string(error.code)), ("message", .string(error.message))])
                json["path"] = error.path.map(JSON.string)
                return .object(json)
            }
            return .object(json)
        }
    }

    extension Replay.Divergence {
        fileprivate var json: JSON {
            var json = JSON.Object([
                ("of", .number(.init(of))), ("seq", .number(.init(seq))), ("store", .string(store)),
                ("paths", .array(patch.operations.prefix(20).map { .string($0.path.description) })),
            ])
            let whole = patch.json
            if whole.bytes.count <= Replay.maxPatch { json["patch"] = whole }
            return .object(json)
        }
    }
#endif
