import TapeFormat

/// A push that the app has not played yet.
struct WaitingPush {
    let push: Push
    /// When the push expires, on the session's clock; nil for a launch state, which never expires.
    var deadline: Duration?
    /// The recorded event whose action is replayed.
    var of: Int?
    /// Whether playing it sends the app's answer. A replay is answered after its last action.
    var isAnswered = true
    /// The loop that it belongs to.
    var loop: RunningLoop?
    /// Whether it is part of a replay, in whose order it is played.
    var isReplay: Bool { of != nil || loop != nil }

    /// The `cause` of the event that it produces.
    func cause(_ adjustments: Adjustments = Adjustments()) -> JSON {
        var cause = JSON.Object([(loop == nil ? "push" : "loop", .string(push.id))])
        cause["of"] = of.map { .number(JSON.Number($0)) }
        if loop?.keep == true { cause["keep"] = true }
        for (name, places) in adjustments.members where places != [] { cause[name] = places }
        return .object(cause)
    }
}
