#if Server
    import Foundation

    /// The labels of every tape of a run: those of STATETAPE_LABELS, and `ci`, `branch`, `commit` and `run`.
    struct RunLabels {
        private(set) var all: [(key: String, value: String)]

        init(_ environment: [String: String]) {
            all = (environment["STATETAPE_LABELS"] ?? "").split(separator: ",").compactMap {
                Label(argument: String($0)).map { ($0.key, $0.value) }
            }
            func first(_ names: String...) -> String? {
                names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
            }
            let branch =
                first(
                    "STATETAPE_BRANCH", "GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_BRANCH", "CI_COMMIT_REF_NAME",
                    "BUILDKITE_BRANCH", "CIRCLE_BRANCH", "BITBUCKET_BRANCH", "BITRISE_GIT_BRANCH", "CI_BRANCH",
                    "BRANCH_NAME", "GIT_BRANCH")
                ?? Self.git("symbolic-ref", "--quiet", "--short", "HEAD")
            let commit =
                first(
                    "STATETAPE_COMMIT", "GITHUB_SHA", "CI_COMMIT_SHA", "BUILDKITE_COMMIT", "CIRCLE_SHA1",
                    "BITBUCKET_COMMIT", "BITRISE_GIT_COMMIT", "CI_COMMIT", "GIT_COMMIT")
                ?? Self.git("rev-parse", "HEAD")
            var run = first("CI_JOB_URL", "BUILDKITE_BUILD_URL", "CIRCLE_BUILD_URL", "BUILD_URL")
            if let server = first("GITHUB_SERVER_URL"), let repository = first("GITHUB_REPOSITORY"),
                let id = first("GITHUB_RUN_ID")
            {
                run = "\(server)/\(repository)/actions/runs/\(id)"
            }
            for (key, value) in [("ci", "true"), ("branch", branch), ("commit", commit), ("run", run)] {
                // The list in the variable has no escapes.
                guard let value = value?.replacing(",", with: "-"), !value.isEmpty, self[key] == nil else { continue }
                all.append((key, value))
            }
        }

        subscript(_ key: String) -> String? { all.first { $0.key == key }?.value }

        /// The value of STATETAPE_LABELS.
        var text: String { all.map { "\($0.key)=\($0.value)" }.joined(separator: ",") }

        /// What git prints in the working folder; nil if it fails or isn't installed.
        private static func git(_ arguments: String...) -> String? {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["git"] + arguments
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            guard (try? process.run()) != nil, let data = try? output.fileHandleForReading.readToEnd() else {
                return nil
            }
            process.waitUntilExit()
            let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            return process.terminationStatus == 0 && !text.isEmpty ? text : nil
        }
    }
#endif
