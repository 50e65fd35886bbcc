import Foundation
import TapeArchive
import TapeFormat

/// An input file, or standard input for “-”.
struct InputFile {
    enum Kind { case regular, stream, folder }

    let path: String
    let kind: Kind

    /// - Throws: `Failure` with the path and the reason if the file can't be read.
    init(_ path: String) throws {
        self.path = path
        if path == "-" {
            kind = .stream
            return
        }
        var info = stat()
        guard stat(path, &info) == 0, access(path, R_OK) == 0 else { throw Self.unreadable(path, errno) }
        switch info.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .folder
        case S_IFIFO: kind = .stream
        case S_IFCHR where path == "/dev/stdin" || path == "/dev/fd/0": kind = .stream
        default: throw Failure("\(path) can't be read: it is a device or a socket, not a file.")
        }
    }

    /// The size of a regular file in bytes; 0 for other kinds.
    var size: Int64 {
        var info = stat()
        return kind == .regular && stat(path, &info) == 0 ? Int64(info.st_size) : 0
    }

    /// Whether a regular file begins as a tape does.
    var isBegunTape: Bool {
        let start = Data("{\"tape\"".utf8)
        return kind == .regular && (try? open().read(upToCount: start.count)) == start
    }

    var url: URL { URL(named: path, isDirectory: false) }

    /// - Throws: `Failure` with the path and the reason.
    func open() throws -> FileHandle {
        if path == "-" { return .standardInput }
        if kind == .folder { throw Self.folder(path) }
        let file = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Self.unreadable(path, errno) }
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }

    /// Calls `body` with each chunk of the file.
    func read(_ body: (Data) throws -> Void) throws {
        let handle = try open()
        while let piece = try reading({ try handle.read(upToCount: 1 << 20) }), !piece.isEmpty { try body(piece) }
    }

    /// Reads the whole file as JSON.
    ///
    /// - Throws: `Failure` if it can't be read, isn't JSON, or is larger than a server accepts.
    func json() throws -> JSON {
        let limit = 64 << 20
        var data = Data()
        try read { piece in
            data += piece
            if data.count > limit { throw Failure("\(path) is larger than \(limit >> 20) MiB.") }
        }
        do {
            return try JSON(parsing: data)
        } catch {
            throw Failure("\(path) is not JSON: \(error)")
        }
    }

    private func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw Failure("\(path) can't be read: \(error.reason)")
        }
    }

    /// The failure for a folder, which may be that of a server.
    private static func folder(_ path: String) -> Failure {
        let archive = URL(named: path, isDirectory: true).appendingPathComponent(DataFolder.archive)
        guard FileManager.default.fileExists(atPath: archive.path) else {
            return Failure("\(path) is a folder; pass a file in it.", remedy: "")
        }
        return Failure(
            "\(path) is the data folder of a server, not a tape: `statetape check --data \(path.shellPath)` checks it, and"
                + " `statetape serve --data \(path.shellPath)` opens its sessions.", remedy: "")
    }

    static func unreadable(_ path: String, _ code: Int32) -> Failure {
        Failure("\(path) can't be read: \(String(cString: strerror(code)))")
    }
}
