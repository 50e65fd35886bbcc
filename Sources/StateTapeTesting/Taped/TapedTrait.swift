import StateTape
public import Testing

/// Records each test to a tape of its own, which is kept if the test fails.
public struct TapedTrait: SuiteTrait, TestTrait, TestScoping {
    /// Also applies to the tests of a suite and of the suites inside it.
    public var isRecursive: Bool { true }

    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        // A suite itself does nothing that could be recorded.
        test.isSuite || testCase == nil ? nil : self
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // The trait of a suite and that of a test inside it would record the test twice.
        guard TestTape.current == nil else { return try await function() }
        let tape = TestTape(TestLabels(test))
        let listener = IssueHandlingTrait.compactMapIssues { issue in
            if issue.isFailure { tape.fail("\(issue)", at: issue.sourceLocation.map { "\($0.fileID):\($0.line)" }) }
            return issue
        }
        do {
            try await TestTape.$current.withValue(tape) {
                try await TestRecordings.$current.withValue(tape.recordings) {
                    try await listener.provideScope(for: test, testCase: testCase, performing: function)
                }
            }
        } catch {
            tape.fail("Caught error: \(error)", at: "\(test.sourceLocation.fileID):\(test.sourceLocation.line)")
            await Self.end(tape)
            throw error
        }
        await Self.end(tape)
    }

    private static func end(_ tape: TestTape) async {
        for kept in tape.end().map(KeptTape.init) {
            kept.attach()
            await kept.report()
        }
    }
}

extension Trait where Self == TapedTrait {
    /// Records each test to a tape of its own. ``Tape/current`` is the test's recorder.
    ///
    /// The tape of a failing test is kept: its path is printed, and it is attached to the test. Issues become notes on
    /// the tape, beside the action that was recorded last. The tape of a passing test is deleted, unless the environment
    /// has `STATETAPE_KEEP=1`.
    ///
    /// `STATETAPE_FILE=FOLDER/%s.tape` says where tapes are written; without it, it is a temporary folder. With
    /// `STATETAPE_URL`, the tape of a failing test is sent to that server, and its link is printed.
    public static var taped: Self { Self() }
}
