import TapeFormat

/// The stored members of the app's types that their coding leaves out, such as those outside of `CodingKeys`.
///
/// A decoding finds them: it notes for each type which keys the type asks for. A member is coded if a key has its name,
/// or is a case of that name.
// Only the thread that decodes uses it, then the one that applies the state.
package final class UncodedMembers {
    /// The keys that one value asked for, and the types that it read as a single value.
    final class KeyLog {
        /// The key's text, by the names that it stands for.
        fileprivate(set) var keys: [String: String] = [:]
        fileprivate(set) var singles: Set<ObjectIdentifier> = []

        func add(_ key: some CodingKey) {
            let text = key.stringValue
            if keys.updateValue(text, forKey: text) == nil, let name = Fields.caseName(of: key) { keys[name] = text }
        }

        func add(single type: Any.Type) {
            singles.insert(ObjectIdentifier(type))
        }
    }

    /// What is known of a struct or a class.
    struct Known {
        /// The stored members, those of a superclass too. The offsets are those of a struct's.
        let fields: [Metadata.Field]
        fileprivate(set) var keys: [String: String]
        fileprivate(set) var singles: Set<ObjectIdentifier>

        /// The name on the tape of a member; nil if it has none.
        func key(of name: String, type: Any.Type?) -> String? {
            if let key = keys[name] ?? (name.hasPrefix("_") ? keys[String(name.dropFirst())] : nil) { return key }
            // A value that is written in the place of its one member.
            return type.map { singles.contains(ObjectIdentifier($0)) } == true ? "" : nil
        }

        /// The members that the coding leaves out.
        var uncoded: [Metadata.Field] {
            fields.filter { !$0.isOwnedByCompiler && key(of: $0.name, type: $0.type) == nil }
        }
    }

    private var types: [ObjectIdentifier: Known] = [:]
    /// Types all of whose members are coded; nil for types of other kinds.
    private var whole: [ObjectIdentifier: Known?] = [:]
    private var ofApp: [ObjectIdentifier: Bool] = [:]
    private var reached: [ObjectIdentifier: Bool] = [:]

    /// Nil if every member of each type is coded.
    var inUse: UncodedMembers? { types.isEmpty ? nil : self }

    /// The log for the keys of a value that is about to be decoded; nil if its keys don't matter.
    func log(for type: Any.Type) -> KeyLog? {
        let id = ObjectIdentifier(type)
        if types[id] != nil { return KeyLog() }
        if whole[id] != nil { return nil }
        guard isOfApp(type), Metadata(type).kind == .struct || type is AnyClass else {
            whole[id] = .some(nil)
            return nil
        }
        return KeyLog()
    }

    /// Notes that a value was decoded.
    func add(_ log: KeyLog, to type: Any.Type) {
        let id = ObjectIdentifier(type)
        let fields = Self.fields(of: type)
        var known = types[id] ?? Known(fields: fields, keys: [:], singles: [])
        known.keys.merge(log.keys) { $1 }
        known.singles.formUnion(log.singles)
        let isWhole = known.uncoded.isEmpty
        types[id] = isWhole ? nil : known
        whole[id] = isWhole ? known : nil
    }

    func known(_ type: Any.Type) -> Known? { types[ObjectIdentifier(type)] ?? whole[ObjectIdentifier(type)] ?? nil }

    /// Whether values of a type have members at any depth that their coding leaves out.
    func reaches(_ type: Any.Type) -> Bool {
        let id = ObjectIdentifier(type)
        if let known = reached[id] { return known }
        var seen: Set<ObjectIdentifier> = []
        let found = reaches(type, &seen)
        reached[id] = found
        return found
    }

    private func reaches(_ type: Any.Type, _ seen: inout Set<ObjectIdentifier>) -> Bool {
        let id = ObjectIdentifier(type)
        guard seen.insert(id).inserted, !ValueTypes.whole.contains(id) else { return false }
        if types[id] != nil { return true }
        if let known = known(type) { return known.fields.contains { $0.type.map { reaches($0, &seen) } ?? false } }
        let metadata = Metadata(type)
        guard metadata.kind == .struct || metadata.kind == .enum || metadata.kind == .optional else { return false }
        let parts =
            isOfApp(type) || metadata.kind == .optional
            ? (metadata.fields ?? []).compactMap(\.type) : metadata.arguments ?? []
        return parts.contains { reaches($0, &seen) }
    }

    /// Where values of a type may have such members, as pointers in which `*` stands for each element.
    func places(in type: Any.Type) -> [[String]] {
        var found: [[String]] = []
        add(type, at: [], &found, depth: 0)
        return found
    }

    private func add(_ type: Any.Type, at path: [String], _ found: inout [[String]], depth: Int) {
        guard depth < 16, found.count < OverlayRepair.limit, reaches(type) else { return }
        let (metadata, known) = (Metadata(type), self.known(type))
        switch metadata.kind {
        case nil where known != nil, .struct where isOfApp(type):
            for field in known?.fields ?? metadata.fields ?? [] where !field.isOwnedByCompiler {
                let key = known.map { $0.key(of: field.name, type: field.type) } ?? field.name
                if let key {
                    let path = key.isEmpty ? path : path + [key]
                    if let type = field.type { add(type, at: path, &found, depth: depth + 1) }
                } else {
                    found.append(path + [field.displayName])
                }
            }
        case .optional:
            for argument in metadata.arguments ?? [] { add(argument, at: path, &found, depth: depth + 1) }
        case .struct:
            for argument in metadata.arguments ?? [] { add(argument, at: path + ["*"], &found, depth: depth + 1) }
        default: found.append(path)
        }
    }

    /// The stored members of a struct, if they are all that it stores, or of a class.
    private static func fields(of type: Any.Type) -> [Metadata.Field] {
        if type is AnyClass { return Fields.members(of: type) }
        let metadata = Metadata(type)
        guard metadata.kind == .struct, !metadata.isForeign, let fields = metadata.fields, metadata.isFilled(by: fields)
        else { return [] }
        return fields
    }

    /// Whether a type is none of Swift's own, of Foundation's or of C, whose members belong together, and none of the
    /// known collections.
    func isOfApp(_ type: Any.Type) -> Bool {
        let id = ObjectIdentifier(type)
        if let known = ofApp[id] { return known }
        let name = ValueTypes.name(of: type)
        let modules = ["Swift.", "Foundation.", "FoundationEssentials.", "__C.", "Observation.", "Dispatch."]
        let isOfApp = !modules.contains { name.hasPrefix($0) } && !ValueTypes.containers.contains(name)
        ofApp[id] = isOfApp
        return isOfApp
    }
}

extension Metadata.Field {
    /// Whether the member is the compiler's own: the storage of a lazy member, which is computed from the others, or a
    /// macro's registrar.
    var isOwnedByCompiler: Bool { Self.isOwnedByCompiler(name) }

    static func isOwnedByCompiler(_ name: String) -> Bool { name.hasPrefix("$") || name.hasPrefix("_$") }

    /// The name by which the app knows the member: without the underscore of a property wrapper's or a macro's storage.
    var displayName: String { Self.displayName(name) }

    static func displayName(_ name: String) -> String { name.hasPrefix("_") ? String(name.dropFirst()) : name }
}

extension Pointer {
    /// The place of a member that has no key of its own; the value of a property wrapper is the wrapper's.
    func appending(uncoded name: String) -> Pointer {
        name == "wrappedValue" ? self : appending(Redacted.escaped(Metadata.Field.displayName(name)))
    }
}
