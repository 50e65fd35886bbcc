/// The app's answer to a push, sent after the event that the push caused.
public struct Pushed: Sendable, Equatable {
    /// Why the app did not apply the state or dispatch the action.
    public struct Failure: Error, Sendable, Equatable {
        /// `decode`, `unsupported`, `locked`, `unlocked`, `redacted`, `expired`, `unknown-store` or `stopped`.
        public var code: String
        /// The app's error message.
        public var message: String
        /// The JSON pointer of the error in the pushed value.
        public var path: String?

        public init(code: String, message: String, path: String? = nil) {
            self.code = code
            self.message = message
            self.path = path
        }

        package var json: JSON {
            .members(("code", .string(code)), ("message", .string(message)), ("path", path.map(JSON.string)))
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
                    code: try failure.string("code"), message: try failure.string("message"),
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
