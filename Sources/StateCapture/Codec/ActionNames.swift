import TapeFormat

/// The names that the types of one store's actions have on the tape, for actions behind a protocol.
///
/// A type's name leaves out its module, unless another type of the store has the same name: then it is `ModA.Reset`, for
/// recording and for reading. The types that can be dispatched have their names from the start. A type that the recorder
/// first sees later never takes a name that means another type already. Any thread may ask for a name.
final class ActionNames {
    typealias Readable = (type: any Codable.Type, name: String)

    private struct Listed {
        let type: any Codable.Type
        /// The name on the tape.
        var name: String
        let full: String
        /// The name without its module, and that of older tapes, where a generic type's arguments lack outer types.
        let short: [String]
        /// No name distinguishes it from another listed type: both are private to files of one module.
        var isAlike = false
    }

    private struct State {
        var byType: [ObjectIdentifier: String] = [:]
        var taken: Set<String> = []
    }

    private let listed: [Listed]
    private let state: Locked<State>

    /// - Parameter types: The types that can be dispatched.
    init(decoding types: [any Codable.Type]) {
        var listed: [Listed] = []
        var seen: Set<ObjectIdentifier> = []
        for type in types where seen.insert(ObjectIdentifier(type)).inserted {
            let short = ActionName.of(type)
            listed.append(
                Listed(
                    type: type, name: short, full: ActionName.full(of: type), short: [short, String(describing: type)]))
        }
        Self.distinguish(&listed)
        self.listed = listed
        let names = Dictionary(uniqueKeysWithValues: listed.map { (ObjectIdentifier($0.type), $0.name) })
        state = Locked(State(byType: names, taken: Set(names.values)))
    }

    /// The types that can be dispatched, with their names.
    var all: [(name: String, type: Any.Type)] { listed.map { ($0.name, $0.type) } }

    private static func distinguish(_ listed: inout [Listed]) {
        func equal() -> [[Int]] {
            Dictionary(grouping: listed.indices) { listed[$0].name }.values.filter { $0.count > 1 }
        }
        // A full name may be the short one of a nested type.
        while let index = equal().joined().first(where: { listed[$0].name != listed[$0].full }) {
            let name = listed[index].name
            for index in listed.indices where listed[index].name == name { listed[index].name = listed[index].full }
        }
        for alike in equal() {
            for (number, index) in alike.sorted().enumerated() {
                listed[index].name += "#\(number + 1)"
                listed[index].isAlike = true
            }
        }
    }

    /// The name of a type on the tape.
    func of(_ type: Any.Type) -> String {
        let id = ObjectIdentifier(type)
        if let name = state.withLock({ $0.byType[id] }) { return name }
        let (short, full) = (ActionName.of(type), ActionName.full(of: type))
        return state.withLock { state in
            if let name = state.byType[id] { return name }
            func isFree(_ name: String) -> Bool { !state.taken.contains(name) && candidates(name).isEmpty }
            var name = isFree(short) ? short : full
            var number = 1
            while !isFree(name) {
                number += 1
                name = "\(full)#\(number)"
            }
            state.byType[id] = name
            state.taken.insert(name)
            return name
        }
    }

    /// The type that a tape's name means, and its name on new tapes.
    ///
    /// - Throws: `Pushed.Failure` with code `decode`, if no type or several have the name.
    func readable(_ name: String) throws(Pushed.Failure) -> Readable {
        let found = candidates(name)
        if found.count == 1, let one = found.first, !one.isAlike { return (one.type, one.name) }
        if listed.isEmpty { throw ActionReader.failure(Self.noTypes) }
        guard let first = found.first else {
            throw ActionReader.failure(
                "actions of type “\(name)” can't be dispatched: “decoding:” doesn't name the type", "/type")
        }
        if first.isAlike {
            throw ActionReader.failure(
                "“decoding:” has several types “\(first.full)”, private to their files: rename all but one", "/type")
        }
        let names = found.map { "“\($0.name)”" }.joined(separator: ", ")
        throw ActionReader.failure("“\(name)” may be one of \(names): use one of these names", "/type")
    }

    static var noTypes: String {
        "no type of action can be dispatched: pass the types to track(…) as “decoding:”"
    }

    /// The listed types that a name may mean: by the name that they have now, else by another one.
    private func candidates(_ name: String) -> [Listed] {
        let ways: [(Listed) -> Bool] = [{ $0.name == name }, { $0.full == name }, { $0.short.contains(name) }]
        return ways.lazy.map { self.listed.filter($0) }.first { !$0.isEmpty } ?? []
    }
}
