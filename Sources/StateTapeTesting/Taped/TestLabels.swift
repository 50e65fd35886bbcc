import Foundation
import TapeEngine

/// The labels of a test's tape: what ran, and where.
struct TestLabels {
    let test: String
    let suite: String?

    /// The labels in the order of a report.
    var all: [(String, String)] {
        let found = [
            ("test", test), ("suite", suite), ("branch", Self.build.branch), ("commit", Self.build.commit),
            ("ci", Self.build.isContinuous ? "true" : nil),
        ]
        return found.compactMap { name, value in value.map { (name, $0) } }
    }

    /// The first part of the tape's file name.
    var fileName: String {
        let name = (suite.map { "\($0)-" } ?? "") + test
        // A file name has at most 255 bytes, and the session's id follows.
        return String(name.map { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }.prefix(100))
    }

    private static let build = BuildLabels(ProcessInfo.processInfo.environment)
}
