import Foundation
import TapeFormat
import Testing

@Suite("Words of a proposed command", .timeLimit(.minutes(1))) struct ShellWordTests {
    @Test("Plain words stay, others are quoted")
    func texts() {
        for (text, word) in [
            ("a/b-c_d.tape", "a/b-c_d.tape"), ("", "''"), ("a b", "'a b'"), ("a;touch x;", "'a;touch x;'"),
            ("$(id)`id`", "'$(id)`id`'"), ("it's", #"'it'\''s'"#), ("a\nb", #"$'a\012b'"#),
            ("ä\u{1b}", #"$'\303\244\033'"#),
            ("~", "'~'"), ("=ls", "'=ls'"), ("жук", "'жук'"), ("-x", "-x"), (#"\'"# + "\n", #"$'\\\'\012'"#),
        ] {
            #expect(text.shellWord == word)
        }
        for (path, word) in [("-x", "./-x"), ("-", "-"), ("--data x", "'./--data x'"), ("a/-x", "a/-x")] {
            #expect(path.shellPath == word)
        }
    }

    @Test(
        "A shell reads back what was quoted",
        arguments: [
            "a b", "a;touch x;", "$(id)", "`id`", "it's", "\"$HOME\"", "a\nb", "\u{1b}[2J", "*", "a\\nb'\n", "-x",
            "жук\u{202e}",
            "!!", "#a", "a&b|c>d", "",
        ])
    func shell(_ text: String) throws {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["bash", "-c", "printf %s \(text.shellWord)"]
        process.standardOutput = output
        try process.run()
        let found = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(String(decoding: found, as: UTF8.self) == text)
    }
}
