import ArgumentParser
import Foundation
import TapeFormat

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send tapes or Redux DevTools exports to a server.",
        discussion: """
            Events that the server already has are compared; new ones are added. After a lost connection the upload \
            resumes. Prints each session's id and its number of new events. If a file fails, the command prints an \
            error, sends the remaining files and exits with 1.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Tapes, plain or gzipped, or Redux DevTools exports; “-” reads standard input. From a folder, all files"
                + " that end in .tape, .tape.gz or .redux.json, but of a tape and its own export only the tape; subfolders"
                + " are skipped.",
            valueName: "file|folder"))
    var files: [String]

    @Option(help: ArgumentHelp("A label to add to the sessions; may be repeated.", valueName: "key=value"))
    var label: [Label] = []

    @Flag(help: "Print the server's answer to each file as one line of JSON.")
    var json = false

    @OptionGroup var remote: ServerClient

    func run() async throws {
        var failures: [Failure] = []
        for name in files {
            do {
                let file = try InputFile(name)
                for path in file.kind == .folder ? try Self.tapes(in: file) : [name] {
                    do { try await send(InputFile(path)) } catch let failure as Failure { failures.append(failure) }
                }
            } catch let failure as Failure {
                failures.append(failure)
            }
        }
        // ArgumentParser prints the last one, which this function throws.
        for failure in failures.dropLast() { Output.note("Error: \(failure)") }
        if let last = failures.last { throw last }
    }

    private func send(_ file: InputFile) async throws {
        // An upload needs its length in advance.
        let spooled = try file.kind == .stream ? TemporaryFile() : nil
        defer { spooled?.remove() }
        if let spooled { try file.read { try spooled.write($0) } }
        let progress = Progress(file.path)
        // An error isn't printed behind the progress.
        defer { progress.end() }
        let upload = FileUpload(
            spooled?.url ?? file.url, to: remote, labels: label.map(\.query), progress: progress)
        let summary: JSON
        do { summary = try await upload.run() } catch let failure as Failure where failure.code == "bad-file" {
            throw try Self.foreign(spooled.map { try InputFile($0.url.path) } ?? file, name: file.path, failure)
        } catch let failure as Failure {
            throw Failure("\(file.path): \(failure)")
        }
        progress.end()
        guard let session = summary["session"]?.string, let added = summary["added"]?.int else {
            throw Failure("\(file.path): \(remote.unexpected("it names no session"))")
        }
        if json {
            var answer = summary.object ?? JSON.Object()
            answer["file"] = .string(file.path)
            Output.json(.object(answer))
        } else {
            Output.line("\(session) \(added) new events")
        }
        if let line = summary["stopped"]?["line"]?.int {
            Output.note("\(file.path) is cut off in line \(line); the events before it were imported.")
        }
    }

    /// The failure for a file that isn't a tape, with the reason that this command finds.
    private static func foreign(_ file: InputFile, name: String, _ refusal: Failure) throws -> Failure {
        do {
            _ = try TapeName.open(file, name: name == "-" ? "standard input" : name, notesCut: false)
        } catch let failure as Failure {
            return Failure("\(failure)\(failure.remedy.map { $0.isEmpty ? "" : " \($0)" } ?? "")")
        }
        return Failure("\(name): \(refusal)")
    }

    /// The files to import from a folder, sorted by name, without its subfolders.
    private static func tapes(in folder: InputFile) throws -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let tapes = names.filter { name in [".tape", ".tape.gz", ".redux.json"].contains(where: name.hasSuffix) }
            .map { "\(folder.path)/\($0)" }.filter { name in
                // A pipe among them would wait for who never writes.
                guard let kind = (try? InputFile(name))?.kind else { return true }
                return kind == .regular
            }
        // A session would be there twice: an export names none.
        let exported = tapes.filter { name in
            guard name.hasSuffix(".redux.json") else { return false }
            let base = String(name.dropLast(".redux.json".count))
            return tapes.contains(base + ".tape") || tapes.contains(base + ".tape.gz")
        }
        for name in exported.sorted() { Output.note("\(name) was skipped: the tape of that name has the same events.") }
        guard !tapes.isEmpty else {
            throw Failure(
                "The folder \(folder.path) has no file that ends in .tape, .tape.gz or .redux.json. \(TapeName.making)"
            )
        }
        return tapes.filter { !exported.contains($0) }.sorted()
    }
}

/// A label, such as `branch=main`.
struct Label: ExpressibleByArgument, CustomStringConvertible {
    let key: String
    let value: String

    init(_ key: String, _ value: String) {
        self.key = key
        self.value = value
    }

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        key = String(parts[0])
        value = String(parts[1])
    }

    var description: String { "\(key)=\(value)" }

    /// The labels of sessions, each once.
    static func all(_ sessions: [JSON]) -> [String] {
        var labels = Set<String>()
        for session in sessions {
            for label in session["labels"]?.object ?? JSON.Object() {
                labels.insert(Label(label.key, label.value.string ?? "").description)
            }
        }
        return labels.sorted()
    }

    /// The label as a query item.
    var query: String {
        let text = "\(key):\(value)".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "label=\(text)"
    }
}

/// Shows progress in percent on standard error if that is a terminal.
final class Progress: Sendable {
    private static let isShown = isatty(STDERR_FILENO) == 1
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    func update(_ done: Int64, of all: Int64) {
        guard Self.isShown, all > 0 else { return }
        Output.progress("\(name): \(done * 100 / all) %")
    }

    /// Clears the progress line.
    func end() {
        if Self.isShown { Output.progress() }
    }
}
