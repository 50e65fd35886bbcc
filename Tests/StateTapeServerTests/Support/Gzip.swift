import Foundation

/// Compresses with the program gzip.
enum Gzip {
    static func pack(_ bytes: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("gzip-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-c", file.path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let packed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Array(packed)
    }
}
