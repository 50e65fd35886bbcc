#if Server
    import Foundation

    /// How many files and sockets the process may have open.
    package enum Descriptors {
        /// What the archive, the page's files and the loop take.
        private static let own = 64
        private static let most: rlim_t = 1 << 16

        /// Asks the system for as many as it allows.
        package static func raise() {
            guard var limit else { return }
            // A larger limit costs memory for each that there may be.
            limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, most))
            setrlimit(kind, &limit)
        }

        /// Connections that leave enough for the server itself.
        static var connections: Int { limit.map { max(16, Int(clamping: $0.rlim_cur) - own) } ?? .max }

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
#endif
