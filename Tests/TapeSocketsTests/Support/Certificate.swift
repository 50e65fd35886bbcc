import Foundation

/// A self-signed certificate for `localhost`, made by openssl.
struct Certificate {
    let path: String
    let key: String

    init(in folder: URL) throws {
        path = folder.appending(component: "certificate.pem").path
        key = folder.appending(component: "key.pem").path
        _ = try openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", path,
        ])
    }
}

/// The output of openssl for `input`.
func openssl(_ arguments: [String], input: String = "") throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    // Not a pipe: if openssl ended before reading it, a signal would end this process.
    let file = FileManager.default.temporaryDirectory.appending(component: "openssl-\(UUID().uuidString)")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let output = Pipe()
    process.standardInput = try FileHandle(forReadingFrom: file)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
}
