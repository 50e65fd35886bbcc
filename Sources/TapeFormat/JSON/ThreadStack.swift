#if canImport(Darwin)
    import Darwin
#endif

/// The bounds of a thread's stack.
package struct ThreadStack {
    private var lowest: UInt = 0
    private var highest: UInt = 0

    /// The stack in bytes that must be free to parse a scalar.
    package static let reserve: UInt = 64 << 10

    package init() {}

    /// Makes a stack that ends this many bytes below the caller.
    package init(bytes: UInt) {
        var here: UInt8 = 0
        highest = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) } + 1
        lowest = highest - bytes
    }

    /// Whether the current thread's stack is nearly full.
    ///
    /// An app's threads may have 512 KiB, which a few hundred calls of a debug build fill.
    /// - Parameter reserve: The bytes that must be free.
    @inline(__always)
    package mutating func isNearlyFull(_ reserve: UInt = Self.reserve) -> Bool {
        var here: UInt8 = 0
        let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
        if address &- lowest < highest &- lowest { return address &- lowest < reserve }
        return find(address, reserve)
    }

    /// Finds the bounds, the first time or on another thread.
    @inline(never)
    private mutating func find(_ address: UInt, _ reserve: UInt) -> Bool {
        #if canImport(Darwin)
            let thread = pthread_self()
            highest = UInt(bitPattern: pthread_get_stackaddr_np(thread))
            lowest = highest - UInt(pthread_get_stacksize_np(thread))
        #else
            // Swift can't call Glibc's function for the bounds, but its threads have 8 MiB.
            highest = address + 1
            lowest = address - (4 << 20)
        #endif
        return lowest..<highest ~= address && address - lowest < reserve
    }
}
