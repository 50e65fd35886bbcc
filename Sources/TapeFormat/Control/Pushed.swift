/// The app's answer to a push, sent after the event that the push caused.
public struct Pushed: Sendable, Equatable {
    /// Why the app did not apply the state or dispatch the action.
    public struct Failure: Error, Sendable, Equatable {
        /// The kind of failure.
        public struct Code: WireWord {
            /// The value doesn't fit the app's types.
            public static let decode = Code("decode")
            /// The store can't do it.
            public static let unsupported = Code("unsupported")
            /// The app is locked.
            public static let locked = Code("locked")
            /// The app was unlocked meanwhile.
            public static let unlocked = Code("unlocked")
            /// The action has a value that was left out of the tape.
            public static let redacted = Code("redacted")
            /// The app didn't do it in time.
            public static let expired = Code("expired")
            /// The app has no store of that name.
            public static let unknownStore = Code("unknown-store")
            /// Someone stopped it.
            public static let stopped = Code("stopped")

            // The server's own.
            package static let broken = Code("broken")
            package static let noAnswer = Code("no-answer")
            package static let sessionAbsent = Code("session-absent")
            package static let tooDeep = Code("too-deep")
            package static let tooLong = Code("too-long")

            public let rawValue: String

            public init(rawValue: String) {
                self.rawValue = rawValue
            }
        }

        public var code: Code
        /// The app's error message.
        public var message: String
        /// The JSON pointer of the error in the pushed value.
        public var path: String?

        public init(code: Code, message: String, path: String? = nil) {
            self.code = code
            self.message = message
            self.path = path
        }

        package var json: JSON {
            .members(("code", .string(code.rawValue)), ("message", .string(message)), ("path", path.map(JSON.string)))
        }
    }

    public enum Result: Sendable, Equatable {
        /// The event that the push caused, and how its state differs from the pushed one.
        case played(seq: Int, Adjustments = Adjustments())
        case failed(Failure)
    }

    public var id: String
    public var result: Result
    /// Of a failure: all events below this seq came before it. Nil: not known.
    public var next: Int?

    public init(id: String, result: Result, next: Int? = nil) {
        self.id = id
        self.result = result
        self.next = next
    }

    init(_ members: Members) throws(FormatError) {
        id = try members.string("id")
        next = try members.optionalCount("next")
        if let error = members.object["error"] {
            let failure = try Members(error, "“error” of “pushed”")
            result = .failed(
                Failure(
                    code: Failure.Code(try failure.string("code")), message: try failure.string("message"),
                    path: try failure.optionalString("path")))
        } else {
            result = .played(seq: try members.count("seq"), try Adjustments(members))
        }
    }

    var json: JSON {
        switch result {
        case .played(let seq, let adjustments):
            .object(JSON.Object([("id", .string(id)), ("seq", .int(seq))] + adjustments.members.filter { $0.1 != [] }))
        case .failed(let failure):
            .members(("id", .string(id)), ("next", next.map(JSON.int)), ("error", failure.json))
        }
    }
}
