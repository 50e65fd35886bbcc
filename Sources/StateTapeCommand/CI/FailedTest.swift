import Foundation
import TapeFormat

/// A failing test, and where its tape is.
struct FailedTest {
    /// The first difference from a passing tape.
    struct Comparison {
        let text: String
        /// The address of the comparison in the archive.
        let link: String?
    }

    let tape: RecordedTape
    /// It was run again, and has passed then.
    var hasPassedLater = false
    /// The tape in the output folder.
    let file: URL
    /// The name of the page in the output folder; nil if the tape can't be read.
    var page: String?
    /// The path of the page, or of the tape if there is no page.
    var path: String
    /// The permanent link to the tape in the archive.
    var link: String?
    var comparison: Comparison?

    init(_ tape: RecordedTape, file: URL, path: String) {
        self.tape = tape
        self.file = file
        self.path = path
    }

    var error: String { tape.error ?? "The test failed without an error on the tape." }

    /// The archive's link, or the path.
    var place: String { link ?? path }

    /// One line for standard error.
    var line: String {
        let comparison = comparison.map { " – \($0.text.oneLine)" } ?? ""
        let outcome =
            tape.outcome == .crashed ? "crashed" : tape.outcome == .unreadable ? "is unreadable" : "failed"
        let later = hasPassedLater ? ", and passed when it was run again" : ""
        return "statetape: \(tape.title) \(outcome)\(later): \(Markup.short(error.oneLine, 300)) – "
            + place.onOneLine + comparison
    }

    /// The relative address of the page at the first error.
    var address: String? {
        guard let page, let session = tape.session else { return nil }
        return "\(page)?session=\(session)" + (tape.errorSeq.map { "&event=\($0)" } ?? "")
    }

    /// The file and the line of the error: its call site, or what its text names.
    var sourcePlace: (file: String, line: Int)? {
        guard let match = (tape.callSite ?? error).firstMatch(of: /([^\s:,()"'“”]+\.swift):([0-9]{1,7})/),
            let line = Int(match.2)
        else {
            return nil
        }
        return (Self.path(String(match.1)), line)
    }

    /// The path of a source file in the working folder, which is the repository's in most jobs. Swift names a file by its
    /// whole path or as `Module/File.swift`.
    private static func path(_ name: String) -> String {
        let folder = FileManager.default.currentDirectoryPath + "/"
        if name.hasPrefix(folder) { return String(name.dropFirst(folder.count)) }
        let places = [name, "Tests/" + name, "Sources/" + name]
        return places.first { FileManager.default.fileExists(atPath: $0) } ?? name
    }
}
