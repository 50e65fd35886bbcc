#if Server
    import TapeFormat

    /// A replay of a recorded session's actions into a new run, and its result.
    struct Replay: Sendable {
        enum Status: String, Sendable {
            case running, done, failed
            /// The app disconnected before the end.
            case lost
        }

        /// The first event after which the new run's state differs from the recording's.
        struct Divergence: Sendable {
            /// The event of the recording, and the event of the new run.
            let of: Int
            let seq: Int
            let store: String
            /// From the recorded state to the new state.
            let patch: Patch
        }

        /// For a longer patch only the paths are reported.
        private static let maxPatch = 16 << 10

        /// The launch state's id.
        let start: String
        let source: String
        /// The recorded event whose states the run starts with, and the last event to replay.
        let from: Int
        let through: Int
        var status = Status.running
        /// The recorded event that was replayed last.
        var at: Int?
        var played = 0
        /// How many states were compared, up to the first difference.
        var compared = 0
        /// Actions that are too long or too deeply nested for a message to the app.
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
            json["error"] = error?.json
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
