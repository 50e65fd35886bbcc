import Foundation

/// A JUnit XML file that the command writes, and to which `ci` adds links.
struct JUnitFile {
    /// What changes when a file is written.
    private struct Version: Equatable {
        let inode: UInt64
        let size: Int64
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var info = stat()
            guard stat(path, &info) == 0 else { return nil }
            inode = UInt64(info.st_ino)
            size = Int64(info.st_size)
            #if canImport(Darwin)
                (seconds, nanoseconds) = (info.st_mtimespec.tv_sec, info.st_mtimespec.tv_nsec)
            #else
                (seconds, nanoseconds) = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
            #endif
        }
    }

    private let path: String
    private let before: Version?

    /// The files of `--junit`, as they are before the command runs: `swift test --xunit-output F` writes the tests of
    /// Swift Testing to `F-swift-testing`.
    static func files(_ path: String?) -> [JUnitFile] {
        guard let path else { return [] }
        let dot = path.lastIndex(of: ".").flatMap { path[$0...].contains("/") ? nil : $0 } ?? path.endIndex
        let second = path[..<dot] + "-swift-testing" + path[dot...]
        return [JUnitFile(path), JUnitFile(String(second))]
    }

    /// Adds links to those files that the command wrote; warns if it wrote none, or if a failing test is in none.
    ///
    /// - Parameter hasFailed: Whether the command has failed.
    static func add(_ failures: [FailedTest], to files: [JUnitFile], hasFailed: Bool) {
        guard let first = files.first else { return }
        let written = files.filter(\.isWritten)
        let tests = written.compactMap { $0.add(failures) }
        guard written.isEmpty else {
            // A file that can't be read may have them.
            guard hasFailed, tests.count == written.count else { return }
            return warn(failures.filter { failure in !tests.contains { $0.contains(failure.file) } }, in: written)
        }
        ContinuousIntegration.warn(
            first.before == nil
                ? "\(first.path) doesn't exist: the command didn't write it. Pass the same file to both, as in"
                    + " `--junit F -- swift test --xunit-output F`."
                : "\(first.path) got no links: the command didn't write it.")
    }

    /// Says which failing tests are in none of the files.
    private static func warn(_ failures: [FailedTest], in files: [JUnitFile]) {
        let tests = failures.filter { $0.tape.test != nil }.map(\.tape.title)
        guard !tests.isEmpty else { return }
        let names = tests.prefix(3).joined(separator: ", ")
        let more = tests.count > 3 ? " and \(tests.count - 3) more" : ""
        ContinuousIntegration.warn(
            files.map(\.path).joined(separator: " and ") + (files.count == 1 ? " has" : " have")
                + " no case for \(names)\(more): \(tests.count == 1 ? "it got no link" : "they got no links").")
    }

    /// Whether a test has failed, and passed when it was run again, as the command's files say.
    static func hasPassedLater(_ tape: RecordedTape, _ files: [JUnitDocument]) -> Bool {
        guard let test = tape.test else { return false }
        let answers = files.compactMap { $0.hasPassedLater(test: test, suite: tape.suite) }
        return !answers.isEmpty && !answers.contains(false)
    }

    /// The content of those files that the command wrote and that can be read.
    static func documents(_ files: [JUnitFile]) -> [JUnitDocument] {
        files.filter(\.isWritten).compactMap { try? $0.document() }
    }

    private init(_ path: String) {
        self.path = path
        before = Version(path)
    }

    /// Whether the command wrote the file.
    private var isWritten: Bool {
        let now = Version(path)
        return now != nil && now != before
    }

    private func document() throws -> JUnitDocument {
        try JUnitDocument([UInt8](Data(contentsOf: URL(named: path, isDirectory: false))))
    }

    /// Adds the links to the file; warns if that isn't possible.
    ///
    /// - Returns: The tapes of the tests that the file has; nil after a warning.
    private func add(_ failures: [FailedTest]) -> Set<URL>? {
        do {
            var document = try document()
            var found = Set<URL>()
            for failure in failures {
                guard let test = failure.tape.test else { continue }
                if document.add(failure.place, toTest: test, suite: failure.tape.suite) {
                    found.insert(failure.file)
                }
            }
            if document.hasChanged { try OutputFile.write(path) { try $0.write(contentsOf: Data(document.bytes)) } }
            return found
        } catch let failure as Failure {
            ContinuousIntegration.warn("\(path) got no links: \(failure)")
        } catch {
            ContinuousIntegration.warn("\(path) got no links: it can't be read: \(error.reason)")
        }
        return nil
    }
}
