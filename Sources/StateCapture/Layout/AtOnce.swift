/// Why values of a type are encoded on the dispatching thread, not later on the recorder's thread.
package enum AtOnce {
    /// The recorder compares encoded states, whatever they hold.
    case encoded
    /// A part may change in place: its place and type.
    case instance(String)
    /// `encode(to:)` and `init(from:)` belong to a global actor.
    case isolated

    /// Nil if encoding can wait.
    init?<Value: Encodable>(_ type: Value.Type, _ layouts: Layouts) {
        if layouts.isIsolated(type) {
            self = .isolated
        } else {
            self.init(reflecting: type, layouts)
        }
    }

    package var isIsolated: Bool {
        if case .isolated = self { true } else { false }
    }

    /// For a type that is recorded by reflection.
    init?(reflecting type: Any.Type, _ layouts: Layouts) {
        guard layouts.comparison == .layout else {
            self = .encoded
            return
        }
        guard let instance = layouts.instance(in: type) else { return nil }
        self = .instance(instance)
    }

    /// The warning to the developer about a store's states.
    ///
    /// - Parameter cost: The cost of encoding one state.
    /// - Returns: Nil if the developer got the warning when the recorder was made.
    package func warning(store: String, cost: String) -> String? {
        let (reason, advice): (String, String)
        switch self {
        case .encoded: return nil
        case .instance(let place):
            reason = "may change in place (\(place))"
            advice = "If that type is a value type, name it with trust(_:)."
        case .isolated:
            reason = "has a Codable conformance that belongs to an actor"
            advice = "A type that is declared nonisolated is encoded in the background."
        }
        return """
            The state of “\(store)” \(reason): each recorded state is encoded whole where it is dispatched, \(cost) now. \
            \(advice)
            """
    }
}
