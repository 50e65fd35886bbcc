/// A value that the dispatching thread's stack has no room for.
package struct TooLarge: Error, CustomStringConvertible {
    private let bytes: Int
    private let free: UInt

    /// - Parameter bytes: Where the value is stored.
    package init(bytes: Int, free: UInt) {
        (self.bytes, self.free) = (bytes, free)
    }

    package var description: String {
        """
        it takes \(bytes) bytes where it is stored, and the stack of the thread that dispatched has \(free) bytes left. \
        Keep large parts in arrays, or behind indirect cases
        """
    }
}
