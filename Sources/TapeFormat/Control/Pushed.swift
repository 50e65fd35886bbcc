/// The app's answer to a push, sent after the event that the push caused.
public struct Pushed: Sendable, Equatable {
    /// Why the app did not apply the state or dispatch the action.
    public struct Failure: Error, Sendable, Equatable {
        /// `decode`, `unsupported`, `locked`, `redacted`, `expired`, `unknown-store` or `stopped`.
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
    }

    public enum Result: Sendable, Equatable {
        /// The event that the push caused. `filled`: paths that the state lacked, filled from the app's initial state.
        /// `ignored`: paths that the app doesn't know.
        case played(seq: Int, filled: [String] = [], ignored: [String] = [])
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
            result = .played(
                seq: try members.count("seq"), filled: try members.strings("filled"),
                ignored: try members.strings("ignored"))
        }
    }

    var json: JSON {
        switch result {
        case .played(let seq, let filled, let ignored):
            [
                "id": .string(id), "seq": .int(seq), "filled": .strings(filled), "ignored": .strings(ignored),
            ]
        case .failed(let failure):
            .members(
                ("id", .string(id)), ("next", next.map(JSON.int)),
                (
                    "error",
                    .members(
                        ("code", .string(failure.code)), ("message", .string(failure.message)),
                        ("path", failure.path.map(JSON.string)))
                ))
        }
    }
}
