import Foundation

/// What the system lets this process have. With less than a command needs, the libraries below end it by a signal,
/// without a word: Dispatch and Foundation trap where they can't open a pipe, and a thread where its stack ends.
enum ProcessLimits {
    private static let descriptors = 32
    private static let stack = 512 << 10
    /// Of which most is only reserved, for the stacks of threads and the heap of each.
    private static let addresses = 512 << 20

    /// - Throws: `Failure` if it isn't enough for a command.
    static func check() throws(Failure) {
        let free = freeDescriptors()
        guard free >= descriptors else {
            throw Failure(
                "This process can open \(free) more files and connections here, and needs \(descriptors): raise the"
                    + " limit, such as with `ulimit -n 1024`.")
        }
        let limit = limit(Kind(RLIMIT_STACK))
        guard limit >= stack else {
            throw Failure(
                "The stack can have \(limit >> 10) KiB here, and needs \(stack >> 10): raise the limit, such as with"
                    + " `ulimit -s 8192`.")
        }
        let space = self.limit(Kind(RLIMIT_AS))
        guard space >= addresses else {
            throw Failure(
                "The address space can have \(space >> 20) MiB here, and needs \(addresses >> 20): raise the limit, such as"
                    + " with `ulimit -v unlimited`.")
        }
    }

    /// How many more can be opened, up to what is needed. Opens none to find out.
    private static func freeDescriptors() -> Int {
        let last = Int32(clamping: limit(Kind(RLIMIT_NOFILE)))
        return (0..<last).lazy.filter { fcntl($0, F_GETFD) < 0 }.prefix(descriptors).reduce(0) { count, _ in
            count + 1
        }
    }

    private static func limit(_ kind: Kind) -> Int {
        var limit = rlimit()
        guard getrlimit(kind.number, &limit) == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }

    /// Glibc's numbers have a type of their own.
    private struct Kind {
        #if canImport(Glibc)
            let number: __rlimit_resource_t
            init(_ kind: __rlimit_resource) { number = __rlimit_resource_t(kind.rawValue) }
        #else
            let number: Int32
            init(_ kind: Int32) { number = kind }
        #endif
    }
}
