import DispatchContext

/// Whether this thread runs app code that the recorder called: `encode(to:)`, or the `state:` of `connect`.
///
/// Recording an action that this code dispatches would call the code again, without end. Such an action is not
/// recorded.
package enum EncodingMark {
    @inlinable package static var isSet: Bool { Ambient.current?.pointee.isEncoding ?? false }

    @inlinable package static func set<Output, Failure: Error>(
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard let ambient = Ambient.current else { return try body() }
        let outer = ambient.pointee.isEncoding
        ambient.pointee.isEncoding = true
        defer { ambient.pointee.isEncoding = outer }
        return try body()
    }
}
