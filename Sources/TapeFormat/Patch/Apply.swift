extension Patch {
    /// A patch that doesn't fit the value it was applied to, or asks for more than a patch may.
    public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        /// The place that the failing operation names.
        public let path: String
        /// What doesn't fit there.
        public let message: String

        public var description: String { "\(message), at “\(path)”" }
    }

    /// Applies the patch; on failure the value is unchanged.
    ///
    /// - Parameters:
    ///   - state: The value that is patched in place.
    ///   - maxSize: Bytes that copies may make of the value; see ``Limits/state``.
    /// - Throws: `Failure` with the place, and leaves the value as it was: never a half-patched state.
    public func apply(to state: inout JSON, maxSize: Int = Limits.state) throws(Failure) {
        state = try applied(to: state, maxSize: maxSize)
    }

    /// Applies the patch to a value that the caller gives away, which saves copying what the patch touches.
    ///
    /// The result is nested at most ``Limits/nesting`` deep, and the work is bounded.
    ///
    /// - Parameters:
    ///   - state: The value before the patch.
    ///   - maxSize: Bytes that copies may make of the value; see ``Limits/state``.
    /// - Throws: `Failure` with the place.
    public func applied(to state: consuming JSON, maxSize: Int = Limits.state) throws(Failure) -> JSON {
        var application = Application(state, maxSize: maxSize)
        for operation in operations { try application.perform(operation) }
        return try application.finish()
    }
}
