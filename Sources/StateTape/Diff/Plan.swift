import Foundation

/// How to compare values of one type; made once for each type.
final class Plan {
    enum Kind {
        /// One JSON value without a container.
        case scalar
        case text
        /// Elements that are adjacent in memory.
        case array(isContiguous: Bool)
        case dictionary(any DictionaryShape.Type)
        case set
        /// By the contents that `encode(to:)` writes.
        case contents
    }

    let kind: Kind
    let layout: Layout
    /// The type of an array's elements, once the differ has seen one.
    ///
    /// It carries its conformance from code where the compiler knew it. A lookup here would not find a conformance that
    /// is isolated to an actor.
    var element: (any Encodable.Type)?
    /// Where a struct stores the `id` that identifies it as an element; nil if nowhere.
    lazy var identity = ElementIdentity(of: type, layouts)
    private let type: Any.Type
    private let layouts: Layouts

    init<Value: Encodable>(_ type: Value.Type, _ layouts: Layouts) {
        self.type = type
        self.layouts = layouts
        layout = layouts.layout(of: type)
        let declaration = Metadata(type).declarationID
        if type == String.self {
            kind = .text
        } else if Self.scalars.contains(ObjectIdentifier(type)) {
            kind = .scalar
        } else if declaration == nil {
            kind = .contents
        } else if declaration == Self.array || declaration == Self.contiguousArray {
            kind = .array(isContiguous: declaration == Self.contiguousArray)
        } else if declaration == Self.dictionary, let shape = type as? any DictionaryShape.Type {
            kind = .dictionary(shape)
        } else if declaration == Self.set {
            kind = .set
        } else {
            kind = .contents
        }
    }

    private static let array = Metadata([Int].self).declarationID
    private static let contiguousArray = Metadata(ContiguousArray<Int>.self).declarationID
    private static let dictionary = Metadata([Int: Int].self).declarationID
    private static let set = Metadata(Set<Int>.self).declarationID

    private static let scalars: Set<ObjectIdentifier> = {
        let types: [Any.Type] = [
            Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
            UInt32.self, UInt64.self, Double.self, Float.self, Date.self, Data.self, URL.self, Decimal.self,
        ]
        return Set(types.map { ObjectIdentifier($0) })
    }()
}
