extension Patch {
    /// The patch doesn't apply to the value, or exceeds a limit.
    public struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        /// The path of the failing operation.
        public let path: String
        /// The reason.
        public let message: String

        public var description: String { "\(message), at “\(path)”" }
    }

    /// Applies the patch; on failure the value is unchanged.
    ///
    /// - Parameters:
    ///   - state: The value to patch in place.
    ///   - maxSize: The maximum size of the value after copies, in bytes; see ``Limits/state``.
    /// - Throws: `Failure` with the path.
    public func apply(to state: inout JSON, maxSize: Int = Limits.state) throws(Failure) {
        state = try applied(to: state, maxSize: maxSize)
    }

    /// Applies the patch to a consumed value, which avoids copies.
    ///
    /// The result is nested at most ``Limits/nesting`` deep, and the work is limited.
    ///
    /// - Parameters:
    ///   - state: The value before the patch.
    ///   - maxSize: The maximum size of the value after copies, in bytes; see ``Limits/state``.
    /// - Throws: `Failure` with the path.
    public func applied(to state: consuming JSON, maxSize: Int = Limits.state) throws(Failure) -> JSON {
        var application = Application(state, maxSize: maxSize)
        for operation in operations { try application.perform(operation) }
        return try application.finish()
    }
}
