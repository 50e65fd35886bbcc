/// A state to apply to the app, or an action to dispatch in it.
public struct Push: Sendable, Equatable {
    /// The state or action.
    public enum Content: Sendable, Equatable {
        case state(JSON)
        /// `{"type":…,"payload":…}`
        case action(JSON)
    }

    /// Identifies the push. The app answers a repeated push again, without applying it again.
    public var id: String
    public var store: String
    /// The time in milliseconds after which the app must ignore the push; nil: never.
    public var expires: Int?
    /// Whether the app must refuse a state that does not fit its type. Otherwise it keeps the parts that do.
    public var isExact: Bool
    /// The event whose state is looked at in time travel; nil: the state is applied for good. Such a push needs a locked
    /// app, and no event records it: the app keeps its own state until it is unlocked.
    public var travel: Int?
    public var content: Content

    public init(
        id: String, store: String = "main", expires: Int? = nil, isExact: Bool = false, travel: Int? = nil,
        content: Content
    ) {
        self.id = id
        self.store = store
        self.expires = expires
        self.isExact = isExact
        self.travel = travel
        self.content = content
    }

    init(_ members: Members) throws(FormatError) {
        id = try members.string("id")
        store = try members.optionalString("store") ?? "main"
        expires = try members.optionalCount("expires")
        isExact = try members.optionalBool("exact") ?? false
        travel = try members.optionalCount("travel")
        switch (members.object["state"], members.object["action"]) {
        case (let state?, nil): content = .state(state)
        case (nil, let action?): content = .action(action)
        default: throw FormatError("\(members.name) needs one of “state” and “action”")
        }
    }

    var json: JSON {
        var object = JSON.Object([("id", .string(id)), ("store", .string(store))])
        object["expires"] = expires.map(JSON.int)
        if isExact { object["exact"] = true }
        object["travel"] = travel.map(JSON.int)
        switch content {
        case .state(let state): object["state"] = state
        case .action(let action): object["action"] = action
        }
        return .object(object)
    }
}

/// A recorded action to replay through the app's reducers, or the end of the replay.
public struct Replay: Sendable, Equatable {
    public var id: String
    /// The seq of the recorded event; nil at the end of the replay.
    public var of: Int?
    public var store: String
    public var action: JSON?

    public var isDone: Bool { action == nil }

    public init(id: String, of: Int? = nil, store: String = "main", action: JSON? = nil) {
        self.id = id
        self.of = of
        self.store = store
        self.action = action
    }

    init(_ members: Members) throws(FormatError) {
        id = try members.string("id")
        of = try members.optionalCount("of")
        store = try members.optionalString("store") ?? "main"
        action = members.object["action"]
        let done = try members.optionalBool("done") ?? false
        guard done != (action != nil && of != nil) else {
            throw FormatError("\(members.name) needs either “of” and “action”, or “done”")
        }
    }

    var json: JSON {
        isDone
            ? ["id": .string(id), "done": true]
            : .members(("id", .string(id)), ("of", of.map(JSON.int)), ("store", .string(store)), ("action", action))
    }
}
