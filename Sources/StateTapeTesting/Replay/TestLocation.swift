import TapeFormat
import Testing

#if canImport(XCTest)
    import XCTest
#endif

/// A line of a test, where its failures are reported.
struct TestLocation: Sendable {
    private let fileID: String
    private let filePath: StaticString
    private let line: UInt
    private let column: Int

    init(_ fileID: String, _ filePath: StaticString, _ line: UInt, _ column: Int) {
        self.fileID = fileID
        self.filePath = filePath
        self.line = line
        self.column = column
    }

    /// The line, as `Module/File.swift:12`.
    var name: String { "\(fileID):\(line)" }

    var module: String { String(fileID.prefix { $0 != "/" }) }

    /// Fails the running test, of Swift Testing or of XCTest.
    func fail(_ message: String) {
        #if canImport(XCTest)
            guard Test.current != nil else { return XCTFail(message, file: filePath, line: line) }
        #endif
        let location = SourceLocation(fileID: fileID, filePath: "\(filePath)", line: Int(line), column: column)
        Issue.record(Comment(rawValue: message), sourceLocation: location)
    }

    /// The failure of a step, with the step's event.
    func failure(_ event: EventLine, _ error: any Error) -> ReplayFailure {
        ReplayFailure("Event \(event.seq), “\(event.type ?? "")”, failed: \(error)")
    }
}
