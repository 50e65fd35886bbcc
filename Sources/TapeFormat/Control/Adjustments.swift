/// How a state from the tape differs from the state that the app made of it.
public struct Adjustments: Sendable, Equatable {
    /// What an app has in a place whose value it could not keep.
    public struct Substitute: WireWord {
        /// The initial state's value.
        public static let initial = Substitute("initial")
        /// Nil.
        public static let null = Substitute("nil")
        /// An empty value of the place's type.
        public static let empty = Substitute("empty")
        /// What the type's own decoding gives.
        public static let `default` = Substitute("default")
        /// Nothing.
        public static let removed = Substitute("removed")
        /// The value that another element has there; only older apps say so.
        public static let other = Substitute("other")

        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// A place whose value the app could not keep.
    public struct Loss: Sendable, Equatable {
        /// The place as a JSON pointer.
        public var path: String
        /// Why the value could not be kept.
        public var reason: String
        /// What the app has there now.
        public var instead: Substitute
        /// Whether the value is a secret that was left out of the tape.
        public var isSecret: Bool
        /// The place below ``path`` where the reason lies, if it is another one. Not sent.
        package var cause: String?
        /// Whether the reason may hold a value that was decoded. Not sent.
        package var tellsSecret = true

        public init(path: String, reason: String, instead: Substitute, isSecret: Bool = false) {
            self.path = path
            self.reason = reason
            self.instead = instead
            self.isSecret = isSecret
        }

        fileprivate init(_ members: Members) throws(FormatError) {
            path = try members.string("path")
            reason = try members.string("reason")
            instead = Substitute(try members.string("instead"))
            isSecret = try members.optional("secret", "a boolean", \.bool) ?? false
        }

        fileprivate var json: JSON {
            .object(
                JSON.Object(
                    [("path", .string(path)), ("reason", .string(reason)), ("instead", .string(instead.rawValue))]
                        + (isSecret ? [("secret", true)] : [])))
        }
    }

    /// Places that the tape lacked and the app filled in, as JSON pointers.
    public var filled: [String]
    /// Places that the app doesn't know.
    public var ignored: [String]
    /// Places of stored members that the tape does not have, where the app's own values stay.
    public var kept: [String]
    public var lost: [Loss]

    public init(filled: [String] = [], ignored: [String] = [], kept: [String] = [], lost: [Loss] = []) {
        self.filled = filled
        self.ignored = ignored
        self.kept = kept
        self.lost = lost
    }

    /// Reads the members `filled`, `ignored`, `kept` and `lost`, each of which may be missing.
    init(_ members: Members) throws(FormatError) {
        filled = try members.strings("filled")
        ignored = try members.strings("ignored")
        kept = try members.strings("kept")
        lost = []
        for loss in try members.optional("lost", "an array", \.array) ?? [] {
            lost.append(try Loss(Members(loss, "each element of “lost”")))
        }
    }

    /// The four lists by name.
    package var members: [(String, JSON)] {
        [
            ("filled", .strings(filled)), ("ignored", .strings(ignored)), ("kept", .strings(kept)),
            ("lost", .array(lost.map(\.json))),
        ]
    }
}
