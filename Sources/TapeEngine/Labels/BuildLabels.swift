/// What an environment says of a build: the labels of a run's tapes and of a test's.
package struct BuildLabels {
    /// The variables of the build systems, by hand first: GitHub Actions, GitLab, Buildkite, CircleCI, Bitbucket, Bitrise,
    /// Xcode Cloud, Jenkins.
    static let branchVariables = [
        "STATETAPE_BRANCH", "GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_COMMIT_BRANCH", "CI_COMMIT_REF_NAME",
        "BUILDKITE_BRANCH", "CIRCLE_BRANCH", "BITBUCKET_BRANCH", "BITRISE_GIT_BRANCH", "CI_BRANCH", "BRANCH_NAME",
        "GIT_BRANCH",
    ]
    static let commitVariables = [
        "STATETAPE_COMMIT", "GITHUB_SHA", "CI_COMMIT_SHA", "BUILDKITE_COMMIT", "CIRCLE_SHA1", "BITBUCKET_COMMIT",
        "BITRISE_GIT_COMMIT", "CI_COMMIT", "GIT_COMMIT",
    ]
    static let runVariables = ["CI_JOB_URL", "BUILDKITE_BUILD_URL", "CIRCLE_BUILD_URL", "BUILD_URL"]

    package let branch: String?
    package let commit: String?
    /// The address of the run's page.
    package let run: String?
    /// Whether a build system runs it.
    package let isContinuous: Bool

    package init(_ environment: [String: String]) {
        func first(_ names: [String]) -> String? { names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } }
        branch = first(Self.branchVariables)
        commit = first(Self.commitVariables)
        isContinuous = first(["CI", "GITHUB_ACTIONS", "JENKINS_URL"]) != nil
        if let server = first(["GITHUB_SERVER_URL"]), let repository = first(["GITHUB_REPOSITORY"]),
            let id = first(["GITHUB_RUN_ID"])
        {
            run = "\(server)/\(repository)/actions/runs/\(id)"
        } else {
            run = first(Self.runVariables)
        }
    }
}
