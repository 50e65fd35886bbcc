#if Server
    import TapeFormat
    import TapeSockets

    extension API {
        private static let maxComparing = Duration.seconds(30)
        /// A longer patch between two states is left out, and its length told.
        private static let maxPatch = 1 << 20

        func addDiff(_ routes: inout Routes) {
            session(&routes, "GET", "/diff/{other}") { session, exchange, names in
                try diff(session, other(names["other"] ?? ""), exchange)
            }
        }

        /// Where two sessions part, and the patch from the first one's state there to the other's.
        func diff(_ left: Session, _ right: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
            try figures.answer(left, "diff \(right.row) \(right.next)") {
                let deadline = ContinuousClock.now + Self.maxComparing
                var diff = SessionDiff(left, right, archive, tape, states)
                let parting = try diff.run { compared in
                    try figures.giveWay()
                    if exchange.isPeerGone { throw SearchLimit.Cancelled() }
                    if .now >= deadline {
                        throw Problem(
                            503, "too-long",
                            "\(compared) events are the same; comparing more takes longer than half a minute.")
                    }
                }
                var answer = JSON.Object([
                    ("same", .bool(parting == nil)), ("compared", .number(.init(diff.compared))),
                    ("unknown", .number(.init(diff.unknown))),
                ])
                if let parting { try write(parting, left, right, to: &answer) }
                return (.object(answer), isLasting: true)
            } then: { result in
                self.answer(exchange, result)
            }
            return nil
        }

        private func write(
            _ parting: SessionDiff.Parting, _ left: Session, _ right: Session, to answer: inout JSON.Object
        ) throws {
            answer["kind"] = .string(parting.kind.rawValue)
            answer["store"] = (parting.left ?? parting.right).map { .string($0.store) }
            answer["a"] = parting.left.map { Head($0).json } ?? .null
            answer["b"] = parting.right.map { Head($0).json } ?? .null
            guard let one = parting.left, let other = parting.right, one.store.hasSameUTF8(as: other.store),
                case .state(let old) = try states.state(of: left, store: one.store, after: one.seq),
                case .state(let new) = try states.state(of: right, store: one.store, after: other.seq)
            else { return }
            let patch = Patch.between(old, new).json
            let bytes = patch.bytes.count
            if bytes <= Self.maxPatch { answer["patch"] = patch } else { answer["patchBytes"] = .number(.init(bytes)) }
        }

        /// The session that an id names, or ten or more characters of its beginning.
        private func other(_ name: String) throws -> Session {
            if let session = try archive.session(name) { return session }
            guard let session = try archive.session(fullID(name)) else { throw Self.absent(name) }
            return session
        }
    }

    extension Head {
        fileprivate var json: JSON {
            var bytes: [UInt8] = []
            write(to: &bytes)
            return (try? JSON(parsing: bytes)) ?? .null
        }
    }
#endif
