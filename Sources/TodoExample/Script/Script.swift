import Foundation

/// A script with the commands of the prompt, one per line, and a few additional ones.
///
///     # a comment
///     add Buy milk #home due:tomorrow
///     pause 300ms
///     sync
///     wait-for sync
///     loop
///
/// `pause` waits in real time, `wait-for sync` until no sync is running. The app quits at the end of the script. As the
/// last line, `loop` starts the script again, and `stay` keeps the app running.
struct Script: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        /// A command of the prompt.
        case command(String)
        case pause(Duration)
        case waitForSync
        case loop
        case stay
    }

    let steps: [Step]

    /// Parses a script.
    ///
    /// - Throws: `ScriptError` with the first invalid line.
    init(parsing text: String, today: Day) throws(ScriptError) {
        var steps: [Step] = []
        var number = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.isEmpty || line.hasPrefix("#") { continue }
            if let last = steps.last, last == .loop || last == .stay {
                throw ScriptError(line: number, message: "Commands after \(last) never run. Remove them")
            }
            do {
                steps.append(try Step(parsing: line, today: today))
            } catch {
                throw ScriptError(line: number, message: error.message)
            }
        }
        let waits = steps.contains { if case .pause = $0 { true } else { $0 == .waitForSync } }
        if steps.last == .loop, !waits {
            throw ScriptError(line: number, message: "A loop needs a pause or wait-for sync in it")
        }
        self.steps = steps
    }
}

/// Why a script is invalid.
struct ScriptError: Error, Equatable, CustomStringConvertible {
    /// The line, from 1.
    let line: Int
    let message: String

    var description: String { "line \(line): \(message)" }
}

extension Script.Step {
    fileprivate init(parsing line: String, today: Day) throws(CommandError) {
        let words = line.split(separator: " ").map(String.init)
        switch (words[0], words.dropFirst().first) {
        case ("loop", nil): self = .loop
        case ("stay", nil): self = .stay
        case ("wait-for", "sync"?) where words.count == 2: self = .waitForSync
        case ("wait-for", _): throw CommandError(message: "Usage: wait-for sync")
        case ("pause", let text?) where words.count == 2:
            guard let duration = Duration(typed: text) else { fallthrough }
            self = .pause(duration)
        case ("pause", _): throw CommandError(message: "Usage: pause 300ms, or pause 1.5s")
        default:
            _ = try Command(parsing: line, today: today)
            self = .command(line)
        }
    }
}

extension Duration {
    /// `300ms`, `2s` or `1.5s`.
    fileprivate init?(typed text: String) {
        let isMilliseconds = text.hasSuffix("ms")
        guard text.hasSuffix("s"), let number = Double(text.dropLast(isMilliseconds ? 2 : 1)),
            (0...86_400_000).contains(number)
        else { return nil }
        self = .milliseconds(Int64(isMilliseconds ? number : number * 1_000))
    }
}
