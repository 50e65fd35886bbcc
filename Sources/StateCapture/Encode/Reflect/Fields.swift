/// Facts about fields that `Mirror` lacks, from the runtime functions with which the standard library makes mirrors.
enum Fields {
    /// A field that doesn't keep its object alive.
    struct Reference {
        /// The position among the fields of its own class or struct.
        let index: Int
        let name: String
        let type: String
    }

    /// The weak and unowned fields of a mirror's type. Reflection doesn't follow them: most of them lead back up, and
    /// reading an unowned field whose object is gone would end the process.
    static func references(in mirror: Mirror) -> [Reference] {
        guard mirror.displayStyle == .struct || mirror.displayStyle == .class else { return [] }
        let all = count(mirror.subjectType)
        // A superclass's fields come first, and have their own mirror.
        let first = all - mirror.children.count
        guard first >= 0 else { return [] }
        return (first..<all).compactMap { index in
            var info = Info(name: nil, free: nil, isStrong: true, isVar: false)
            let type = field(mirror.subjectType, index: index, info: &info)
            defer { info.free?(info.name) }
            guard !info.isStrong else { return nil }
            let label = info.name.map { String(cString: $0) }
            return Reference(index: index - first, name: name(label, index - first), type: String(describing: type))
        }
    }

    /// The stored members of a class and its superclasses, without their offsets.
    static func members(of type: Any.Type) -> [Metadata.Field] {
        (0..<count(type)).map { index in
            var info = Info(name: nil, free: nil, isStrong: true, isVar: false)
            let type = field(type, index: index, info: &info)
            defer { info.free?(info.name) }
            return Metadata.Field(name: info.name.map { String(cString: $0) } ?? "", type: type, offset: 0)
        }
    }

    /// Whether a stored member of a struct keeps its object alive. A weak or unowned one has a form of its own in memory.
    static func isStrong(_ index: Int, of type: Any.Type) -> Bool {
        var info = Info(name: nil, free: nil, isStrong: true, isVar: false)
        _ = field(type, index: index, info: &info)
        info.free?(info.name)
        return info.isStrong
    }

    /// The name by which the app knows a field.
    static func name(_ label: String?, _ index: Int) -> String {
        guard let label else { return String(index) }
        let lazy = "$__lazy_storage_$_"
        if label.hasPrefix(lazy) { return String(label.dropFirst(lazy.count)) }
        // A tuple's fields without names are called .0, .1 …
        return label.hasPrefix(".") ? String(label.dropFirst()) : label
    }

    /// The name of an enum's case; nil for anything else.
    static func caseName(of value: Any) -> String? {
        func name<Value>(_ type: Value.Type) -> String? {
            guard [.enum, .optional].contains(Metadata(type).kind), let value = value as? Value else { return nil }
            return Fields.name(ofCase: value).map { String(cString: $0) }
        }
        // Uses the value's own type: an existential may contain an existential.
        return _openExistential(type(of: value), do: name)
    }

    /// The elements of an `InlineArray`, which mirrors don't show; nil for anything else.
    static func inlineElements(of value: Any) -> [Any]? {
        func elements<Value>(_ type: Value.Type) -> [Any]? {
            guard Metadata.isKnown, let array = Metadata(type).inlineArray, let value = value as? Value else {
                return nil
            }
            func read<Element>(_ type: Element.Type) -> [Any] {
                withUnsafePointer(to: value) { value in
                    // An inline array stores only its elements.
                    let elements = UnsafeRawPointer(value).assumingMemoryBound(to: Element.self)
                    return (0..<array.count).map { elements[$0] }
                }
            }
            return _openExistential(array.element, do: read)
        }
        return _openExistential(type(of: value), do: elements)
    }

    /// Whether a value has a C type with members that no mirror shows.
    static func hasHiddenMembers(_ value: Any) -> Bool {
        let metadata = Metadata(type(of: value))
        guard Metadata.isKnown, metadata.isForeign, let fields = metadata.fields else { return false }
        return !metadata.isFilled(by: fields)
    }

    private struct Info {
        let name: UnsafePointer<CChar>?
        let free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
        let isStrong: Bool
        let isVar: Bool
    }

    @_silgen_name("swift_reflectionMirror_recursiveCount")
    private static func count(_: Any.Type) -> Int

    @_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
    private static func field(_: Any.Type, index: Int, info: UnsafeMutablePointer<Info>) -> Any.Type

    @_silgen_name("swift_EnumCaseName")
    private static func name<Value>(ofCase _: Value) -> UnsafePointer<CChar>?
}
