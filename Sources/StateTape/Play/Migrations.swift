import TapeFormat

/// What an app says about the states of its older builds.
final class Migrations: Sendable {
    private struct Change {
        /// The store whose states change; nil: each store's.
        let store: String?
        let patch: @Sendable (JSON) -> Patch
    }

    private let changes = Locked<[Change]>([])

    /// Adds a change, to be made after the earlier ones.
    func add(store: String?, _ patch: @escaping @Sendable (JSON) -> Patch) {
        changes.withLock { $0.append(Change(store: store, patch: patch)) }
    }

    /// A state of an older build with the changes. A change that does not apply is left out.
    func migrate(_ state: JSON, of store: String) -> JSON {
        changes.withLock { $0 }.reduce(state) { state, change in
            guard change.store == nil || change.store == store else { return state }
            let patch = change.patch(state)
            return patch.isEmpty ? state : (try? patch.applied(to: state)) ?? state
        }
    }
}

extension Patch {
    /// Moves the values of one place to another, where the state has the first and lacks the second.
    static func renaming(_ old: Pointer, to new: Pointer, in state: JSON) -> Patch {
        let shared = zip(old.tokens, new.tokens).prefix { $0 == $1 }.count
        let (from, to) = (Array(old.tokens[shared...]), Array(new.tokens[shared...]))
        let operations = state.places(of: old.tokens[..<shared]).flatMap { place -> [Operation] in
            let target = Pointer(place.path.tokens + to)
            guard place.value[Pointer(from)] != nil, place.value[Pointer(to)] == nil else { return [] }
            let parents = (0..<max(0, to.count - 1)).map { Pointer(place.path.tokens + to[...$0]) }
            return parents.filter { state[$0] == nil }.map { .add($0, [:]) }
                + [.move(from: Pointer(place.path.tokens + from), to: target)]
        }
        return Patch(operations)
    }

    /// Adds a value at each place where the state has an object that lacks it.
    static func adding(_ value: JSON, at path: Pointer, in state: JSON) -> Patch {
        guard let name = path.tokens.last else { return Patch() }
        return Patch(
            state.places(of: path.tokens.dropLast()).compactMap { place in
                guard let object = place.value.object, object[name] == nil else { return nil }
                return .add(place.path.appending(name), value)
            })
    }
}

extension JSON {
    /// The values at a path in which `*` stands for each member or element.
    fileprivate func places(of path: ArraySlice<String>) -> [(path: Pointer, value: JSON)] {
        path.reduce([(Pointer(), self)]) { places, token in
            places.flatMap { place, value -> [(Pointer, JSON)] in
                switch (token, value) {
                case ("*", .object(let object)): object.map { (place.appending($0.key), $0.value) }
                case ("*", .array(let elements)): elements.enumerated().map { (place.appending($0), $1) }
                default: value[Pointer([token])].map { [(place.appending(token), $0)] } ?? []
                }
            }
        }
    }
}
