#if Server
    import Foundation

    /// Room on the disk that is kept back for deletions: on a full disk even what frees space must be written first.
    final class Reserve: Sendable {
        private let path: String
        private let size: Int
        /// A file takes at most so much, and at most this part of the disk.
        private static let maxSize = 16 << 20
        private static let part = 8

        /// - Parameter path: Of the file that takes the room; made where the disk has enough.
        init(_ path: String) {
            self.path = path
            var system = statvfs()
            // A folder that isn't there yet has no disk.
            let folder = (path as NSString).deletingLastPathComponent
            let total = statvfs(folder, &system) == 0 ? Int(clamping: system.f_blocks) : 0
            let (bytes, isTooMany) = total.multipliedReportingOverflow(by: Int(clamping: system.f_frsize))
            size = isTooMany ? Self.maxSize : min(Self.maxSize, bytes / Self.part)
            make()
        }

        /// Takes the room, unless it is taken, or the disk would be nearly full afterwards.
        func make() {
            var system = statvfs()
            guard size > 0, statvfs(path, &system) != 0,
                statvfs((path as NSString).deletingLastPathComponent, &system) == 0
            else { return }
            let free = Int(clamping: system.f_bavail).multipliedReportingOverflow(by: Int(clamping: system.f_frsize))
            guard free.overflow || free.partialValue > 2 * size else { return }
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else { return }
            defer { close(file) }
            let zeros = [UInt8](repeating: 0, count: 1 << 16)
            var left = size
            while left > 0 {
                let count = write(file, zeros, min(left, zeros.count))
                if count <= 0 {
                    unlink(path)
                    return
                }
                left -= count
            }
        }

        /// Gives the room back to the disk.
        ///
        /// - Returns: False if none was taken.
        func release() -> Bool {
            unlink(path) == 0
        }
    }
#endif
