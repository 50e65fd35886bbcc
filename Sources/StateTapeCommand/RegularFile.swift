import Foundation

/// Opens a path that should lead to a file: with `O_NONBLOCK` among the flags, whatever else is there doesn't hold the
/// command up.
enum RegularFile {
    /// - Throws: `POSIXError`; `Failure` if a folder, a pipe, a device or a socket is there.
    static func open(_ path: String, _ flags: Int32) throws -> FileHandle {
        let file = Foundation.open(path, flags, 0o644)
        // A pipe that nobody reads, and a socket.
        if file < 0, errno == ENXIO { throw Failure("it isn't a file.") }
        guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        var info = stat()
        guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { throw Failure("it isn't a file.") }
        return handle
    }
}
