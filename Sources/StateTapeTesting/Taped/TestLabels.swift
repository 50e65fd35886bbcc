import Foundation

/// The labels of a test's tape: what ran, and where.
struct TestLabels {
    let test: String
    let suite: String?

    /// The labels in the order of a report.
    var all: [(String, String)] {
        let found = [
            ("test", test), ("suite", suite), ("branch", Self.branch), ("commit", Self.commit), ("ci", Self.ci),
        ]
        return found.compactMap { name, value in value.map { (name, $0) } }
    }

    /// The first part of the tape's file name.
    var fileName: String {
        let name = (suite.map { "\($0)-" } ?? "") + test
        // A file name has at most 255 bytes, and the session's id follows.
        return String(name.map { $0 == "-" || $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }.prefix(100))
    }

    private static let environment = ProcessInfo.processInfo.environment

    /// The first of these variables that is set: those of GitHub Actions, GitLab, Bitrise, Xcode Cloud, Jenkins, and
    /// any other system's by hand.
    private static func first(_ names: [String]) -> String? {
        names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    static let branch = first([
        "STATETAPE_BRANCH", "GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_REF_NAME", "BITRISE_GIT_BRANCH",
        "CI_BRANCH", "BRANCH_NAME",
    ])

    static let commit = first([
        "STATETAPE_COMMIT", "GITHUB_SHA", "CI_COMMIT_SHA", "BITRISE_GIT_COMMIT", "CI_COMMIT", "GIT_COMMIT",
    ])

    static let ci: String? = first(["CI", "GITHUB_ACTIONS", "JENKINS_URL"]).map { _ in "true" }
}
