import Foundation
import StateCapture
import TapeFormat
import TapeUplink

/// The names of a session and its app, made once for each launch.
struct Identity: Sendable {
    static let recorder = "statetape-swift/0.1.0"

    let sessionIdentity: LinkState.SessionIdentity
    /// Finds device id and labels, which reads one small file.
    init(started: Date, token: String?, launch: Launch, _ redactor: Redactor) {
        let bundle = Bundle.main
        let program = launch.arguments.first.map { ($0 as NSString).lastPathComponent }
        func info(_ key: String) -> String? { bundle.object(forInfoDictionaryKey: key) as? String }
        let header = Header(
            session: ULID.make(milliseconds: UInt64(max(0, started.timeIntervalSince1970) * 1_000)),
            app: Header.App(
                id: bundle.bundleIdentifier ?? program ?? ProcessInfo.processInfo.processName,
                name: info("CFBundleDisplayName") ?? info("CFBundleName") ?? program,
                version: info("CFBundleShortVersionString"), build: info("CFBundleVersion")),
            device: Header.Device(
                id: Self.device(in: launch.folder), name: Self.hostName, model: Self.model,
                os: Self.os),
            started: Self.text(of: started),
            labels: redactor.labels(launch.labels), recorder: Self.recorder)
        let key = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let digits = key.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        sessionIdentity = LinkState.SessionIdentity(header: header, key: digits.joined(), token: token)
    }

    static func text(of date: Date) -> String {
        date.ISO8601Format(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// The same id at every launch if the folder is writable.
    static func device(in folder: URL?) -> String {
        let fresh = UUID().uuidString.lowercased()
        guard let folder else { return fresh }
        let file = folder.appendingPathComponent("device")
        if let known = read(file) { return known }
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // If two first launches run at once, the later one takes the id of the other.
        try? Data(fresh.utf8).write(to: file, options: .withoutOverwriting)
        return read(file) ?? fresh
    }

    private static func read(_ file: URL) -> String? {
        guard let data = try? Data(contentsOf: file), (8...64).contains(data.count) else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Foundation's `hostName` may query the network.
    private static let hostName: String? = system.map { text(of: $0.nodename) }
    private static let model: String? = system.map { text(of: $0.machine) }
    private static let os = ProcessInfo.processInfo.operatingSystemVersionString

    private static var system: utsname? {
        var system = utsname()
        return uname(&system) == 0 ? system : nil
    }

    /// The text in a C array, which Swift sees as a tuple.
    private static func text<Characters>(of characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
