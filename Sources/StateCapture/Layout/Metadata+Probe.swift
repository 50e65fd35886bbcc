// Checks once, on known types, whether metadata has the form that this code expects.
extension Metadata {
    /// On an untested system, this may be read only if the app accepts the risk.
    static let isReadable: Bool = {
        // On arm64e, the addresses inside are signed and can't be read as they are.
        #if _ptrauth(_arm64e)
            return false
        #else
            return MemoryLayout<UnsafeRawPointer>.size == 8 && Probe<Int32>.isRead && Choice.isRead
                && Metadata((Int8, Int32).self, isOpen: true).fields?.map(\.offset) == [0, 4]
                && Metadata((small: Int8, Int32).self, isOpen: true).labels == ["small", nil]
                && Metadata([Int32].self, isOpen: true).arguments?.first == Int32.self
                && InstanceProbe.isRead && !Conformance.isFlagged(Int.self)
        #endif
    }()

    /// Whether metadata is readable, on a tested system.
    static var isKnown: Bool { Platform.current.tested == nil && isReadable }

    private struct Probe<Element> {
        var small: Int8
        var text: String
        var many: [Element]

        static var isRead: Bool {
            let expected: [(String, Any.Type, Int?)] = [
                ("small", Int8.self, MemoryLayout<Self>.offset(of: \.small)),
                ("text", String.self, MemoryLayout<Self>.offset(of: \.text)),
                ("many", [Element].self, MemoryLayout<Self>.offset(of: \.many)),
            ]
            let metadata = Metadata(Self.self, isOpen: true)
            guard metadata.kind == .struct, let fields = metadata.fields, fields.count == expected.count else {
                return false
            }
            return !metadata.isForeign && !metadata.hidesMembers(among: fields)
                && zip(fields, expected).allSatisfy { $0.name == $1.0 && $0.type == $1.1 && $0.offset == $1.2 }
        }
    }

    private enum Choice {
        case none
        case some(Int16)
        indirect case next(Choice)

        static var isRead: Bool {
            let metadata = Metadata(Self.self, isOpen: true)
            // Cases that carry a value come first.
            return metadata.kind == .enum && Metadata(Int16?.self, isOpen: true).kind == .optional
                && metadata.fields?.map(\.name) == ["some", "next", "none"]
                && metadata.fields?.map(\.isIndirect) == [false, true, false]
                && metadata.fields?.map { $0.type == Int16.self } == [true, false, false]
                && metadata.fields?.last?.type == nil
        }
    }

    private final class InstanceProbe {
        /// Classes, functions and existentials have none of the kinds that are searched.
        static var isRead: Bool {
            let types: [Any.Type] = [InstanceProbe.self, (() -> Void).self, Any.self, (any Error).self]
            return types.allSatisfy { Metadata($0, isOpen: true).kind == nil }
        }
    }
}
