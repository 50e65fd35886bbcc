/// Facts about a type's conformance, from the runtime.
enum Conformance {
    private struct Existential {
        let type: any Encodable.Type
    }

    /// Whether a type's `encode(to:)` may only be called on a global actor, as for `struct S: @MainActor Codable`.
    ///
    /// A flag of the conformance says so. A cast at run time would fail, but not on the actor's own thread. For `[S]`
    /// and `S?`, the conformance of `S` decides.
    static func isIsolated<Value: Encodable>(_ type: Value.Type) -> Bool {
        guard Metadata.isReadable else { return false }
        return isFlagged(type) || (Metadata(type).arguments ?? []).contains { isIsolated(any: $0) }
    }

    /// Reads the flag, for the self-test too.
    static func isFlagged<Value: Encodable>(_ type: Value.Type) -> Bool {
        withUnsafeBytes(of: Existential(type: type)) { existential in
            // The type, then the witness table, which begins with the address of the conformance's descriptor.
            let table = existential.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
            guard let descriptor = table.load(as: UnsafeRawPointer?.self) else { return false }
            return descriptor.load(fromByteOffset: 12, as: UInt32.self) & 1 << 19 != 0
        }
    }

    private static func isIsolated(any type: Any.Type) -> Bool {
        guard let type = type as? any Encodable.Type else { return false }
        return isIsolated(type)
    }
}
