import Foundation
import StateTapeServer
import TapeArchive
import TapeEngine

/// The folder that `ci` writes to. It changes only its own files, whose names are in a marker file.
struct OutputFolder {
    private static let marker = ".statetape-ci"
    private static let firstLine = "Files of `statetape ci`, which its next run replaces:"
    private static let recordingPrefix = "recording-"

    /// The path as the user gave it.
    private let path: String
    private let url: URL
    /// The folder in which recorders write.
    private(set) var recording: URL
    /// Keeps its number from another folder in its place.
    private let recordingHandle: FileHandle?
    /// The command removed or replaced that folder, and so the tapes in it.
    private(set) var hasLostTapes = false
    private let names: FileHandle
    /// Lower case, because some file systems ignore the case.
    private var taken: Set<String> = []

    /// Creates the folder; in that of an earlier run, removes the run's files.
    ///
    /// - Throws: `Failure` if the folder has other files, or is in use.
    init(_ path: String) throws {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        url = URL(named: path, isDirectory: true).absoluteURL
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            let marker = url.appendingPathComponent(Self.marker)
            let found = try FileManager.default.contentsOfDirectory(atPath: url.path)
            guard found.isEmpty || found.contains(Self.marker) else {
                throw Failure(
                    "The folder \(path) has files that `statetape ci` didn't write. Pass a new or empty folder with"
                        + " --output.")
            }
            let file = open(marker.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o644)
            guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            names = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            var info = stat()
            guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
                throw Failure("\(path)/\(Self.marker) isn't a file. Pass another folder with --output.")
            }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                throw Failure(
                    "Another `statetape ci` is writing to the folder \(path). Pass another one with --output.")
            }
            try Self.removeEarlier(names, url, path)
            recording = url.appendingPathComponent(Self.recordingPrefix + RandomName.make().prefix(8))
            try names.write(contentsOf: Data("\(Self.firstLine)\n\(recording.lastPathComponent)\n".utf8))
            try FileManager.default.createDirectory(at: recording, withIntermediateDirectories: false)
            let opened = open(recording.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            recordingHandle = opened < 0 ? nil : FileHandle(fileDescriptor: opened, closeOnDealloc: true)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure("The folder \(path) can't be written: \(error.reason)")
        }
        // Files that others put there keep their names.
        taken = Set((try? FileManager.default.contentsOfDirectory(atPath: url.path))?.map { $0.lowercased() } ?? [])
        taken.insert(FailureIndex.name)
    }

    private static func removeEarlier(_ names: FileHandle, _ url: URL, _ path: String) throws {
        let lines = String(decoding: try names.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
        guard lines.isEmpty || lines[0] == firstLine else {
            throw Failure(
                "The file \(path)/\(marker) wasn't written by `statetape ci`. Pass another folder with --output.")
        }
        // Whoever wrote the marker, only plain names lead to files.
        for name in lines.dropFirst() where !name.contains("/") && !name.hasPrefix(".") {
            let file = url.appendingPathComponent(String(name)).path
            var info = stat()
            guard lstat(file, &info) == 0 else { continue }
            switch info.st_mode & S_IFMT {
            case S_IFREG: unlink(file)
            case S_IFDIR where name.hasPrefix(recordingPrefix): try? FileManager.default.removeItem(atPath: file)
            default: break
            }
        }
        guard !FileManager.default.fileExists(atPath: url.appendingPathComponent(FailureIndex.name).path) else {
            throw Failure(
                "\(path)/\(FailureIndex.name) was not written by an earlier run. Pass another folder with --output."
            )
        }
        try names.truncate(atOffset: 0)
    }

    /// The value of STATETAPE_FILE: each recorder replaces “%s” by a name of its own.
    var pattern: String { recording.appendingPathComponent("%s.tape").path }

    /// The path of a file of the folder, for messages.
    func path(of name: String) -> String { "\(path)/\(name)" }

    /// Makes a new folder for tapes if that of the recorders isn't there any more: one of others in its place has no
    /// tapes of this run.
    ///
    /// - Returns: The reason if the recorders' folder is gone.
    mutating func replaceLostRecording() -> String? {
        guard recordingHandle != nil, !isOwnRecording else { return nil }
        hasLostTapes = true
        let lost = recording
        recording = url.appendingPathComponent(Self.recordingPrefix + RandomName.make().prefix(8))
        try? note(recording.lastPathComponent)
        try? FileManager.default.createDirectory(at: recording, withIntermediateDirectories: false)
        return "The folder \(path(of: lost.lastPathComponent)), in which recorders write, was removed"
            + " or replaced while the command ran. The tapes in it are lost."
    }

    /// Whether the folder in that place is the one that was made for the recorders.
    private var isOwnRecording: Bool {
        var (made, found) = (stat(), stat())
        guard let recordingHandle, fstat(recordingHandle.fileDescriptor, &made) == 0 else { return false }
        return lstat(recording.path, &found) == 0 && (found.st_dev, found.st_ino) == (made.st_dev, made.st_ino)
    }

    /// The tapes that recorders wrote, sorted by name.
    var recordedFiles: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: recording.path)) ?? []
        return names.filter { $0.hasSuffix(".tape") || $0.hasSuffix(".tape.gz") }.sorted().compactMap { name in
            let file = recording.appendingPathComponent(name)
            var info = stat()
            return lstat(file.path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG ? file : nil
        }
    }

    /// Moves a tape out of the recording folder, under a name made from its test's.
    ///
    /// - Returns: The new place; the old one if it can't be moved.
    mutating func move(_ tape: RecordedTape) -> URL {
        let ending = tape.file.lastPathComponent.hasSuffix(".gz") ? ".tape.gz" : ".tape"
        let target = url.appendingPathComponent(reserve(tape.fileName, ending))
        guard link(tape.file.path, target.path) == 0 else {
            // Some file systems have no hard links.
            return rename(tape.file.path, target.path) == 0 ? target : tape.file
        }
        unlink(tape.file.path)
        return target
    }

    /// Keeps the tape of a failing test, and writes its page.
    mutating func keep(_ tape: RecordedTape) -> FailedTest {
        let file = move(tape)
        var failure = FailedTest(tape, file: file, path: path(of: file.lastPathComponent))
        guard tape.header != nil else { return failure }
        let name = file.lastPathComponent.replacing(/\.tape(\.gz)?$/, with: "")
        let target = reserve(name, ".html")
        let reason = write(target) { handle in
            let opened = try RecordedTape.open(file)
            try TapePage(web: nil).write(opened, opened.seqs, States(), name: file.lastPathComponent) { piece in
                try handle.write(contentsOf: Data(piece))
            }
        }
        if let reason {
            ContinuousIntegration.warn(reason)
        } else {
            failure.page = target
            failure.path = path(of: target)
        }
        return failure
    }

    /// Writes a new file.
    ///
    /// - Returns: The reason if it can't be written.
    func write(_ name: String, _ body: (FileHandle) throws -> Void) -> String? {
        let path = url.appendingPathComponent(name).path
        do {
            try note(name)
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
            guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            try body(handle)
            try handle.close()
            return nil
        } catch {
            return "\(self.path(of: name)) can't be written: \(error.reason)"
        }
    }

    func write(_ name: String, _ text: String) -> String? {
        write(name) { try $0.write(contentsOf: Data(text.utf8)) }
    }

    /// Removes the recording folder with what tests left in it, unless a tape is still there: it could not be moved, or
    /// is being written. The next run removes those.
    func removeRecording() {
        let tapes = Set(recordedFiles.map(\.lastPathComponent))
        if isOwnRecording {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: recording.path)) ?? []
            where !tapes.contains(name) {
                try? FileManager.default.removeItem(at: recording.appendingPathComponent(name))
            }
        }
        rmdir(recording.path)
    }

    /// A name that no file has, noted in the marker.
    private mutating func reserve(_ base: String, _ ending: String) -> String {
        var name = base + ending
        var number = 1
        while !taken.insert(name.lowercased()).inserted {
            number += 1
            name = "\(base)-\(number)\(ending)"
        }
        try? note(name)
        return name
    }

    /// Adds a name to the marker before the file exists, so that the next run knows it whatever happens to this one.
    private func note(_ name: String) throws {
        try names.seekToEnd()
        try names.write(contentsOf: Data("\(name)\n".utf8))
    }
}
