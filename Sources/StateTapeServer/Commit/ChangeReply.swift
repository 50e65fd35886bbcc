import TapeArchive

/// Receives the result of one change from the committer.
final class ChangeReply: Committer.Client {
    private let promise: Reply<Result<Outcome, any Error>>.Promise
    private let appended: @Sendable (Batch) -> Void

    /// - Parameter appended: Called with each appended batch, in the order of the commits, where the committer delivers.
    init(
        _ promise: Reply<Result<Outcome, any Error>>.Promise,
        appended: @escaping @Sendable (Batch) -> Void = { _ in }
    ) {
        self.promise = promise
        self.appended = appended
    }

    func committed(_ change: Change, _ outcome: Outcome) {
        if case (.append(let batch), .appended) = (change, outcome) { appended(batch) }
        promise.give(.success(outcome))
    }

    func failed(_ change: Change, _ error: any Error) {
        promise.give(.failure(error))
    }
}
