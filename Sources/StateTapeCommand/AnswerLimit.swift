import Foundation

/// How much of a server's answer a command takes: one that never ends must fill neither memory nor disk.
struct AnswerLimit {
    /// A page of a list, or what a server did: for most answers.
    static let short = AnswerLimit(memory: 64 << 20)
    /// More than the largest state, in both sides of a comparison.
    static let long = AnswerLimit(memory: 1 << 30)

    /// The most characters of a text by a server in a message.
    static let text = 1_000
    /// Bytes that stay free on the disk.
    private static let free = 256 << 20

    /// Bytes in memory.
    let memory: Int

    /// - Throws: `Failure` if an answer of so many bytes is too long for the memory.
    func check(_ count: Int) throws(Failure) {
        guard count <= memory else {
            throw Failure("The server's answer is longer than \(memory >> 20) MiB. Is the address right?")
        }
    }

    /// The beginning of a text by a server.
    static func cut(_ text: String) -> String { text.count > Self.text ? text.prefix(Self.text) + "…" : text }

    /// - Throws: `Failure` if the disk is almost full.
    static func check(_ file: FileHandle) throws(Failure) {
        var facts = statvfs()
        guard fstatvfs(file.fileDescriptor, &facts) == 0 else { return }
        let left = UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
        guard left > free else {
            throw Failure("The answer doesn't fit on the disk: less than \(free >> 20) MiB would be left.")
        }
    }
}
