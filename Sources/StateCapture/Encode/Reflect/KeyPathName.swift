/// A key path as it is written in code: `\Form.password`.
///
/// The runtime knows the names of stored properties. In the place of any other part it has an address, and here the
/// part's type stands: `\Form.<computed String>`. Such a part may lead to a secret if the root has one, and then the text
/// names it: `\Form.<computed String, maybe password>`. So the value beside it counts as a secret.
enum KeyPathName {
    static func text(of path: AnyKeyPath, _ redactor: Redactor) -> String {
        let (root, value) = (type(of: path).rootType, type(of: path).valueType)
        let written = described(path) ?? stored(path).map { "\\\(root)." + $0.joined(separator: ".") }
        let text = written.map(withoutAddresses) ?? "\\\(root).<computed \(value)>"
        guard text.contains(Self.computed), let place = text.lastIndex(of: ">"),
            let secret = SecretMembers.first(in: root, redactor)
        else { return text }
        return text[..<place] + ", maybe \(secret)" + text[place...]
    }

    private static let computed = "<computed "

    /// The runtime's description; nil from a runtime that has none.
    private static func described(_ path: AnyKeyPath) -> String? {
        let text = String(describing: path)
        return text.hasPrefix("\\") ? text : nil
    }

    /// The stored properties that lead to the place of a struct's value; nil if there are none.
    static func stored(_ path: AnyKeyPath) -> [String]? {
        func offset<Root>(_: Root.Type) -> Int? { (path as? PartialKeyPath<Root>).flatMap(MemoryLayout<Root>.offset) }
        let root = type(of: path).rootType
        guard var offset = _openExistential(root, do: offset) else { return nil }
        var (type, names): (Any.Type, [String]) = (root, [])
        repeat {
            guard Metadata(type).kind == .struct, let fields = Metadata(type).fields,
                let field = fields.last(where: { field in
                    let size = field.type.map { Metadata($0).extent.size } ?? 0
                    return field.offset <= offset && offset < field.offset + max(size, 1)
                }), let fieldType = field.type
            else { return nil }
            names.append(field.name)
            (type, offset) = (fieldType, offset - field.offset)
        } while type != Swift.type(of: path).valueType || offset != 0
        return names
    }

    /// Replaces `<computed 0x00007f6db26e8d80 (String)>` by `<computed String>`: an address differs in each process.
    private static func withoutAddresses(_ text: String) -> String {
        var (written, rest) = ("", text[...])
        while let start = rest.firstIndex(of: "<") {
            let part = rest[start...]
            guard let kind = ["<computed 0x", "<offset "].first(where: part.hasPrefix),
                let open = part.dropFirst(kind.count).firstIndex(of: "("), let close = end(of: part[open...])
            else {
                written += rest[...start]
                rest = part.dropFirst()
                continue
            }
            written += rest[..<start] + computed + part[part.index(after: open)..<close]
            rest = part[part.index(after: close)...]
        }
        return written + rest
    }

    /// The index of the bracket that closes the first one.
    private static func end(of text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}

/// Searches the types that a type is made of for a member with a secret's name.
private struct SecretMembers {
    /// The most types to look at: a type may contain itself with another generic argument each time, without end.
    private static let mostTypes = 1_000

    /// The first such name; nil if there is none. The parts of a class are not known.
    static func first(in root: Any.Type, _ redactor: Redactor) -> String? {
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(root)]
        var next: [Any.Type] = [root]
        while let type = next.popLast(), seen.count < mostTypes {
            let metadata = Metadata(type)
            if ValueTypes.whole.contains(ObjectIdentifier(type)) { continue }
            let isContainer = ValueTypes.containers.contains(ValueTypes.name(of: type))
            let fields = isContainer ? [] : metadata.fields ?? []
            if let field = fields.first(where: { redactor.isSecret($0.name) }) { return plain(field.name) }
            let types = isContainer ? metadata.arguments ?? [] : fields.compactMap(\.type)
            next += types.filter { seen.insert(ObjectIdentifier($0)).inserted }
        }
        return nil
    }

    /// A property's name without what a wrapper or a macro puts before it.
    private static func plain(_ name: String) -> String { Fields.name(String(name.drop { $0 == "_" }), 0) }
}
