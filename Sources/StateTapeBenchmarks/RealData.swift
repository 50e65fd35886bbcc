import Foundation
import TapeFormat

/// Public recordings beside a checkout. Cases without their recording are skipped, with a message on standard error.
enum RealData {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/data").standardizedFileURL

    /// 150 states of an incident feed.
    static func fires() throws -> [JSON]? {
        try read("ca-fires-150.jsonl.xz", with: "xz")?.split(separator: UInt8(ascii: "\n")).compactMap {
            try JSON(parsing: $0)["state"]
        }
    }

    /// The transactions of an editor: the text that each replaces, at an offset in scalars.
    static func edits() throws -> [(position: Int, removed: Int, inserted: String)]? {
        guard let bytes = try read("sveltecomponent.json.gz", with: "gzip") else { return nil }
        let patches = try JSON(parsing: bytes)["txns"]?.array?.flatMap { $0["patches"]?.array ?? [] }
        return patches?.map { ($0[0]?.int ?? 0, $0[1]?.int ?? 0, $0[2]?.string ?? "") }
    }

    private static func read(_ name: String, with tool: String) throws -> [UInt8]? {
        let file = folder.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: file.path) else {
            FileHandle.standardError.write(
                Data("\(name) is not beside the checkout: its cases are left out\n".utf8))
            return nil
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [tool, "-dc", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return [UInt8](data)
    }
}
