import Foundation
import TapeArchive

/// The limit of open files and sockets of the process.
package enum Descriptors {
    /// Descriptors for the archive, the page's files and the loop.
    private static let own = 64
    private static let most: rlim_t = 1 << 16

    /// Raises the limit as far as the system allows.
    package static func raise() {
        guard var limit else { return }
        // Not higher than `most`: each possible descriptor costs memory.
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, most))
        setrlimit(kind, &limit)
    }

    /// How many connections are possible, with enough descriptors left for the server itself.
    ///
    /// - Throws: ``ServerError`` if there are too few for a server.
    static func connections() throws(ServerError) -> Int {
        guard let limit else { return .max }
        let all = Int(clamping: limit.rlim_cur)
        guard all >= own else {
            throw ServerError(
                .sockets,
                "A process may have \(all) files and connections open here, and a server needs \(own): raise the limit, such as with `ulimit -n 1024`."
            )
        }
        return max(16, all - own)
    }

    private static var limit: rlimit? {
        var limit = rlimit()
        return getrlimit(kind, &limit) == 0 ? limit : nil
    }

    #if canImport(Glibc)
        private static let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let kind = RLIMIT_NOFILE
    #endif
}
