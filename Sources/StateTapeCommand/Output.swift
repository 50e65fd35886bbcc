import Foundation
import TapeFormat

/// Unbuffered standard output: scripts wait for its lines.
///
/// Everything that a command prints goes through here: apps and servers choose parts of the texts, which must not reach
/// the terminal as they are.
enum Output {
    /// Prints a line.
    static func line(_ text: String) { raw(plain(text.onOneLine) + "\n") }

    /// Prints a line of JSON.
    static func json(_ json: JSON) { raw(json.text.escapedInJSON + "\n") }

    /// Prints a text of our own as it is.
    static func raw(_ text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            // The exit code tells the reader that the output is incomplete.
            try? FileHandle.standardError.write(
                contentsOf: Data("Error: standard output can't be written: \(error.reason)\n".utf8))
            exit(1)
        }
    }

    /// Prints a message to standard error, on one line.
    static func note(_ text: String) { error(plain(text.onOneLine) + "\n") }

    /// Prints how a command is used to standard error.
    static func usage(_ text: String) { error(text.onLines + "\n") }

    /// Shows how far the command is, in the place of what was shown before; nothing to clear it. Only for a terminal.
    static func progress(_ text: String = "") { error("\r\u{1b}[K\(text.onOneLine)") }

    /// Asks a question, whose answer follows on its line.
    static func ask(_ text: String) { error(text.onOneLine) }

    /// A line that the job's runner doesn't take for one of its commands, such as `::error::`.
    private static func plain(_ line: some StringProtocol) -> String {
        let start = line.drop { $0 == " " || $0 == "\t" }
        guard start.hasPrefix("::") || start.hasPrefix("##[") else { return String(line) }
        return line.prefix(line.count - start.count) + "\\" + start
    }

    private static func error(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
