#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The bounds of a thread's stack.
package struct ThreadStack {
    private var lowest: UInt = 0
    private var highest: UInt = 0

    /// The stack in bytes that must be free to parse a scalar, or to encode a small value.
    package static let reserve: UInt = 64 << 10

    package init() {}

    /// Makes a stack that ends this many bytes below the caller.
    package init(bytes: UInt) {
        var here: UInt8 = 0
        highest = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) } + 1
        lowest = highest - bytes
    }

    /// The size in bytes of the calling thread's stack.
    package static var size: UInt {
        let bounds = Bounds.ofThread
        return bounds.highest - bounds.lowest
    }

    /// How many bytes of the calling thread's stack are free.
    package static var free: UInt {
        var here: UInt8 = 0
        let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
        let bounds = Bounds.ofThread
        return bounds.lowest..<bounds.highest ~= address ? address - bounds.lowest : .max
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
        let bounds = Bounds.ofThread
        (lowest, highest) = (bounds.lowest, bounds.highest)
        return lowest..<highest ~= address && address - lowest < reserve
    }
}

/// The bounds of one thread's stack. Finding them reads a file on Linux, so that each thread remembers them.
private struct Bounds {
    var lowest: UInt
    var highest: UInt

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key) { free($0) } == 0 ? key : nil
    }()

    static var ofThread: Bounds {
        guard let key else { return found }
        if let known = pthread_getspecific(key) { return known.assumingMemoryBound(to: Bounds.self).pointee }
        let bounds = found
        if let memory = malloc(MemoryLayout<Bounds>.size) {
            memory.initializeMemory(as: Bounds.self, to: bounds)
            pthread_setspecific(key, memory)
        }
        return bounds
    }

    private static var found: Bounds {
        #if canImport(Darwin)
            let thread = pthread_self()
            let highest = UInt(bitPattern: pthread_get_stackaddr_np(thread))
            return Bounds(lowest: highest - UInt(pthread_get_stacksize_np(thread)), highest: highest)
        #else
            var attributes = pthread_attr_t()
            guard attributesOfThread(pthread_self(), &attributes) == 0 else { return Bounds(lowest: 0, highest: 0) }
            defer { pthread_attr_destroy(&attributes) }
            var (lowest, size): (UnsafeMutableRawPointer?, Int) = (nil, 0)
            guard pthread_attr_getstack(&attributes, &lowest, &size) == 0 else { return Bounds(lowest: 0, highest: 0) }
            return Bounds(lowest: UInt(bitPattern: lowest), highest: UInt(bitPattern: lowest) + UInt(size))
        #endif
    }

    #if !canImport(Darwin)
        // Glibc declares it only for programs that ask for its extensions, as Swift's import of the header doesn't. Two
        // arguments are passed to Swift's functions as to C's.
        @_silgen_name("pthread_getattr_np")
        private static func attributesOfThread(_: pthread_t, _: UnsafeMutablePointer<pthread_attr_t>) -> Int32
    #endif
}
