/// How a state from the tape differs from the state that the app made of it.
public struct Adjustments: Sendable, Equatable {
    /// A place whose value the app could not keep.
    public struct Loss: Sendable, Equatable {
        /// The place as a JSON pointer.
        public var path: String
        /// Why the value could not be kept.
        public var reason: String
        /// What the app has there now: `initial` (the initial state's value), `nil`, `empty` (an empty value of its
        /// type), `other` (the value that another element has there), or `removed` (nothing).
        public var instead: String

        public init(path: String, reason: String, instead: String) {
            self.path = path
            self.reason = reason
            self.instead = instead
        }

        fileprivate init(_ members: Members) throws(FormatError) {
            path = try members.string("path")
            reason = try members.string("reason")
            instead = try members.string("instead")
        }

        fileprivate var json: JSON {
            ["path": .string(path), "reason": .string(reason), "instead": .string(instead)]
        }
    }

    /// Places that the tape lacked and the app filled in, as JSON pointers.
    public var filled: [String]
    /// Places that the app doesn't know.
    public var ignored: [String]
    public var lost: [Loss]

    public init(filled: [String] = [], ignored: [String] = [], lost: [Loss] = []) {
        self.filled = filled
        self.ignored = ignored
        self.lost = lost
    }

    /// Reads the members `filled`, `ignored` and `lost`, each of which may be missing.
    init(_ members: Members) throws(FormatError) {
        filled = try members.strings("filled")
        ignored = try members.strings("ignored")
        lost = []
        for loss in try members.optional("lost", "an array", \.array) ?? [] {
            lost.append(try Loss(Members(loss, "each element of “lost”")))
        }
    }

    /// The three lists by name.
    package var members: [(String, JSON)] {
        [("filled", .strings(filled)), ("ignored", .strings(ignored)), ("lost", .array(lost.map(\.json)))]
    }
}
