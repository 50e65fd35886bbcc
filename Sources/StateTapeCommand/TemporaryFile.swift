import Foundation

/// A new temporary file that only its owner can read.
struct TemporaryFile {
    let url: URL
    let handle: FileHandle

    /// - Throws: `Failure` if it can't be created.
    init() throws {
        let folder = FileManager.default.temporaryDirectory
        var path = Array(folder.appendingPathComponent("statetape-XXXXXX").path.utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else {
            throw Failure("Can't create a file in \(folder.path): \(String(cString: strerror(errno)))")
        }
        url = URL(
            fileURLWithPath: path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" })
        handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }

    func write(_ data: Data) throws {
        do {
            try handle.write(contentsOf: data)
        } catch {
            throw Failure("\(url.path) can't be written: \(error.reason)")
        }
    }

    func remove() {
        unlink(url.path)
    }
}
