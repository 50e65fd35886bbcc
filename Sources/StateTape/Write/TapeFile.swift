import Foundation
import TapeFormat
import TapeUplink

/// A tape that is written to a file as it is recorded (`STATETAPE_FILE`).
///
/// The file at the path is opened, never replaced: links are followed, and devices and pipes are written to. Of regular
/// files, only an empty one and the tape of an earlier run are overwritten. Two recorders never share a file.
final class TapeFile {
    private enum Opening {
        case file(OpenFile)
        case stream(TapeStream)
        /// Another recorder writes to the file, or one of this process wrote it.
        case taken
    }

    /// The highest number in a file name: `NAME-1000`.
    private static let maxNumber = 1_000
    /// The paths of the tapes that this process has written. They are not tapes of an earlier run.
    private static let written = Locked<Set<String>>([])
    private static let beginning = Array("{\"tape\":".utf8)

    let path: String
    private let target: Opening
    private let log: @Sendable (String) -> Void
    private var size = 0
    private var isWriting = true
    /// Whether the header is the one from before the stores were attached: what a pipe has can't be replaced.
    private(set) var hasFirstHeader = false

    /// Opens `path`, or `NAME-2`, `NAME-3` … if another recorder uses it. Returns nil and logs a message if it can't be
    /// written.
    init?(path: String, header: Header, log: @escaping @Sendable (String) -> Void) {
        do throws(FileFailure) {
            var (place, target) = (URL(fileURLWithPath: path), Opening.taken)
            for number in 1...Self.maxNumber {
                place = Self.numbered(URL(fileURLWithPath: path), number)
                target = try Self.open(place)
                guard case .taken = target else { break }
            }
            if case .taken = target { throw FileFailure(place, "\(Self.maxNumber) recorders write there") }
            if place.path != URL(fileURLWithPath: path).path {
                log("Another recorder already writes to \(path). This recorder writes to \(place.path).")
            }
            (self.path, self.target, self.log) = (place.path, target, log)
        } catch {
            log("The tape file can't be written: \(error).")
            return nil
        }
        write(header.json.bytes)
    }

    /// Replaces the header, before any other line.
    func replace(header: Header) {
        let line = header.json.bytes + [UInt8(ascii: "\n")]
        if case .file(let file) = target, isWriting, (try? file.replace(by: line)) != nil {
            size = line.count
        } else {
            hasFirstHeader = true
        }
    }

    /// Writes a line. After the first failure, which is logged, it writes nothing.
    func write(_ line: [UInt8]) {
        guard isWriting else { return }
        let line = line + [UInt8(ascii: "\n")]
        do throws(FileFailure) {
            switch target {
            case .stream(let stream): try stream.write(line)
            case .file(let file): try file.write(line)
            case .taken: break
            }
            size += line.count
        } catch {
            isWriting = false
            // A partial line would make the whole tape unreadable.
            if case .file(let file) = target { try? file.truncate(to: size) }
            log("Recording to the tape file stopped: \(error).")
        }
    }

    private static func numbered(_ place: URL, _ number: Int) -> URL {
        guard number > 1 else { return place }
        let (name, type) = (place.deletingPathExtension().lastPathComponent, place.pathExtension)
        return place.deletingLastPathComponent()
            .appendingPathComponent("\(name)-\(number)" + (type.isEmpty ? "" : ".\(type)"))
    }

    private static func open(_ place: URL) throws(FileFailure) -> Opening {
        if let stream = try TapeStream(place) { return .stream(stream) }
        let flags = O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY
        let file = try OpenFile(place, flags, followsLinks: true, mode: 0o666)
        guard let found = file.status, found.st_mode & S_IFMT == S_IFREG else {
            throw FileFailure(place, "it is not a file, a pipe or a character device")
        }
        // A file system without locks can't report another recorder.
        guard (try? file.lock()) ?? true else { return .taken }
        let name = realpath(place.path, nil).map { path in
            defer { free(path) }
            return String(cString: path)
        }
        if found.st_size > 0 {
            guard file.contents(atMost: beginning.count) == beginning else {
                throw FileFailure(place, "it is not a tape, so the recorder leaves it as it is: name another file")
            }
            if let name, written.withLock({ $0.contains(name) }) { return .taken }
        }
        if let name { _ = written.withLock { $0.insert(name) } }
        try file.truncate(to: 0)
        return .file(file)
    }
}
