import Foundation
import TapeEngine
import TapeFormat
import Testing

/// The labels of a test's tape: what ran, and where.
struct TestLabels {
    let test: String
    let suite: String?
    /// The test target.
    var module: String?

    /// The labels in the order of a report.
    var all: [(String, String)] {
        let found = [
            ("test", test), ("suite", suite), ("module", module), ("branch", Self.build.branch),
            ("commit", Self.build.commit),
            ("ci", Self.build.isContinuous ? "true" : nil),
        ]
        return found.compactMap { name, value in value.map { (name, $0) } }
    }

    /// The first part of the tape's file name.
    var fileName: String {
        [suite, test].compactMap(\.self).joined(separator: "-").fileName(separator: "_", merges: false)
    }

    private static let build = BuildLabels(ProcessInfo.processInfo.environment)
}

extension TestLabels {
    /// Those of a test of Swift Testing.
    init(_ test: Test) {
        let suites = test.id.nameComponents.dropLast()
        self.init(
            test: String(test.name.prefix { $0 != "(" }), suite: suites.isEmpty ? nil : suites.joined(separator: "."),
            module: test.sourceLocation.moduleName)
    }
}
