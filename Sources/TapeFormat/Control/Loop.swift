/// A replay of recorded actions in the running app: its beginning, or the request to stop it.
public struct Loop: Sendable, Equatable {
    public var id: String
    /// The states to begin with, by store; nil stops the loop.
    public var states: [String: JSON]?
    /// Whether the app keeps the states that the actions lead to. Otherwise it puts its own states back.
    public var keep: Bool

    public init(id: String, states: [String: JSON]?, keep: Bool = false) {
        self.id = id
        self.states = states
        self.keep = keep
    }

    init(_ members: Members) throws(FormatError) {
        id = try members.string("id")
        let object = try members.optional("states", "an object", \.object)
        states = object.map { Dictionary($0.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }) }
        keep = try members.optionalBool("keep") ?? false
        guard try members.optionalBool("stop") ?? false != (states != nil) else {
            throw FormatError("\(members.name) needs either “states” or “stop”")
        }
    }

    var json: JSON {
        guard let states else { return ["id": .string(id), "stop": true] }
        return .members(("id", .string(id)), ("states", Header.sorted(states)), ("keep", keep ? true : nil))
    }
}
