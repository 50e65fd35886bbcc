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
        if type == String.self {
            kind = .text
        } else if Self.scalars.contains(ObjectIdentifier(type)) {
            kind = .scalar
        } else if let shape = type as? any ArrayShape.Type {
            kind = .array(isContiguous: shape.isContiguous)
        } else if let shape = type as? any DictionaryShape.Type {
            kind = .dictionary(shape)
        } else if type is any SetShape.Type {
            kind = .set
        } else {
            kind = .contents
        }
    }

    private static let scalars: Set<ObjectIdentifier> = {
        var types: [Any.Type] = [
            Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
            UInt32.self, UInt64.self, Double.self, Float.self, Date.self, Data.self, URL.self, Decimal.self,
        ]
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { types += [Int128.self, UInt128.self] }
        return Set(types.map { ObjectIdentifier($0) })
    }()
}

private protocol ArrayShape {
    static var isContiguous: Bool { get }
}

extension Array: ArrayShape { fileprivate static var isContiguous: Bool { false } }
extension ContiguousArray: ArrayShape { fileprivate static var isContiguous: Bool { true } }

private protocol SetShape {}
extension Set: SetShape {}
