import Foundation

/// A value without Codable, encoded by reflection: it can be viewed, but not played back.
///
/// Enums have the shape that Codable gives them, so that actions get the same names. A value that can't be followed
/// becomes a marker, an object with one member: `$cycle` (an instance that contains itself), `$reference` (weak or
/// unowned), `$opaque` (functions, types, actors), `$deep` and `$more` (past the limits of ``Reflection``). The member's
/// value names the type. A key path is written as in code: `\Form.email`.
struct Reflected: Encodable {
    let value: Any
    private let reflection: Reflection
    private let depth: Int

    /// - Parameter redactor: Checks the types' names.
    init(_ value: Any, _ redactor: Redactor = .standard) {
        self.init(value, Reflection(redactor), depth: 0)
    }

    private init(_ value: Any, _ reflection: Reflection, depth: Int) {
        self.value = value
        self.reflection = reflection
        self.depth = depth
    }

    func encode(to encoder: any Encoder) throws {
        if let path = value as? AnyKeyPath {
            return try KeyPathName.text(of: path, reflection.redactor).encode(alone: encoder)
        }
        // The root value goes by other names.
        if depth > 0, reflection.isSecret(type(of: value)) { return try Redacted().encode(alone: encoder) }
        if let encodable = value as? any Encodable { return try encodable.encode(alone: encoder) }
        if let bound = reflection.exceeded(at: depth) { return try Marker(bound, value).encode(to: encoder) }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            guard let some = mirror.children.first else { return try Null().encode(to: encoder) }
            try child(some.value).encode(to: encoder)
        case .collection:
            var container = encoder.unkeyedContainer()
            for element in mirror.children { try container.encode(child(element.value)) }
        case .set: try encode(set: mirror, to: encoder)
        case .dictionary: try encode(dictionary: mirror, to: encoder)
        case .enum: try encode(case: mirror, to: encoder)
        case .struct:
            // Goes by the type, because reading a child that is a dead reference would end the process.
            guard mirror.children.count == 1, let elements = Fields.inlineElements(of: value) else {
                return try encode(fieldsOf: mirror, to: encoder)
            }
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(child(element)) }
        case .tuple: try encode(fieldsOf: mirror, to: encoder)
        // Only the actor itself may read its fields.
        case .class where value is any Actor && !(value is any CustomReflectable):
            try Marker("opaque", value).encode(to: encoder)
        case .class, .foreignReference: try encode(instance: mirror, to: encoder)
        case nil:
            if mirror.children.isEmpty { return try Marker("opaque", value).encode(to: encoder) }
            try encode(fieldsOf: mirror, to: encoder)
        @unknown default: try Marker("opaque", value).encode(to: encoder)
        }
    }

    private func child(_ value: Any) -> Reflected { Reflected(value, reflection, depth: depth + 1) }
}

// MARK: Containers without an order

extension Reflected {
    private func encode(set mirror: Mirror, to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        let elements = try mirror.children.map { (text: try text(of: $0.value), value: $0.value) }
        for element in elements.sorted(by: { $0.text.lexicographicallyPrecedes($1.text) }) {
            try container.encode(child(element.value))
        }
    }

    private func encode(dictionary mirror: Mirror, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PlainKey.self)
        var members: [(key: String, value: Any)] = []
        for entry in mirror.children {
            let pair = Array(Mirror(reflecting: entry.value).children)
            guard pair.count == 2 else { continue }
            members.append((try key(pair[0].value), pair[1].value))
        }
        for member in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            try container.encode(child(member.value), forKey: PlainKey(member.key))
        }
    }

    /// A dictionary's key as a member's key: a string stays, anything else becomes its JSON text.
    private func key(_ value: Any) throws -> String {
        if let text = value as? String { return text }
        return String(decoding: try text(of: value), as: UTF8.self)
    }

    private func text(of value: Any) throws -> [UInt8] {
        let buffer = ByteBuffer()
        try DirectEncoder(reflection.redactor).encode(child(value), to: buffer)
        return buffer.array(from: 0)
    }
}

// MARK: Enums, structs and classes

extension Reflected {
    /// The shape of Codable: `{"add":{"title":"milk"}}`, with an unnamed value under `_0`. A case without values is its
    /// name.
    private func encode(case mirror: Mirror, to encoder: any Encoder) throws {
        guard let carried = mirror.children.first else {
            var container = encoder.singleValueContainer()
            return try container.encode(Fields.caseName(of: value) ?? String(describing: type(of: value)))
        }
        var container = encoder.container(keyedBy: PlainKey.self)
        var values = container.nestedContainer(
            keyedBy: PlainKey.self, forKey: PlainKey(carried.label ?? Fields.caseName(of: value) ?? "_"))
        let tuple = Mirror(reflecting: carried.value)
        guard tuple.displayStyle == .tuple else {
            return try values.encode(child(carried.value), forKey: PlainKey("_0"))
        }
        for (index, element) in tuple.children.enumerated() {
            let label = element.label.flatMap { $0.hasPrefix(".") ? nil : $0 } ?? "_\(index)"
            try values.encode(child(element.value), forKey: PlainKey(label))
        }
    }

    private func encode(instance mirror: Mirror, to encoder: any Encoder) throws {
        // Reflection never requests an unowned object's mirror: see `Fields`.
        let object = value as AnyObject
        guard reflection.enter(object) else { return try Marker("cycle", value).encode(to: encoder) }
        defer { reflection.leave(object) }
        try encode(fieldsOf: mirror, to: encoder)
    }

    private func encode(fieldsOf mirror: Mirror, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PlainKey.self)
        var level: Mirror? = mirror
        while let current = level {
            let references = value is any CustomReflectable ? [] : Fields.references(in: current)
            // Goes by position, because reading a child that is a dead reference would end the process.
            for (index, position) in current.children.indices.enumerated() {
                if let reference = references.first(where: { $0.index == index }) {
                    try container.encode(Marker("reference", named: reference.type), forKey: PlainKey(reference.name))
                } else {
                    let field = current.children[position]
                    try container.encode(child(field.value), forKey: PlainKey(Fields.name(field.label, index)))
                }
            }
            level = current.superclassMirror
        }
        if mirror.displayStyle == .struct, Fields.hasHiddenMembers(value) {
            try container.encode(String(describing: type(of: value)), forKey: PlainKey("$opaque"))
        }
    }

    /// Replaces a value that reflection doesn't follow.
    private struct Marker: Encodable {
        let kind: String
        let type: String

        init(_ kind: String, _ value: Any) {
            self.init(kind, named: String(describing: Swift.type(of: value)))
        }

        init(_ kind: String, named type: String) {
            self.kind = kind
            self.type = type
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: PlainKey.self)
            try container.encode(type, forKey: PlainKey("$" + kind))
        }
    }
}

extension Encodable {
    /// Writes the value through a single-value container, so that the encoder can use its own form for the type.
    fileprivate func encode(alone encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }
}
