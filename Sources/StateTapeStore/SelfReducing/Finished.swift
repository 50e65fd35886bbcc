/// The action that reduces the result of another one. The store dispatches it when `execute` has returned or thrown.
///
/// It has the action and its result, so that a recorder can replay it without the work. It is Codable if both are. On a
/// tape it follows its action, as `Finished<Refresh>` follows `Refresh`. Name both types to the recorder:
///
/// ```swift
/// let store = ActionStore(initial: Feed()).taped(by: tape, decoding: [Refresh.self, Finished<Refresh>.self])
/// ```
///
/// Dispatched by a test or from the page, it reduces its result as if the work had returned it.
public struct Finished<Action: SelfExecuting>: SelfReducing {
    /// What came of the work.
    public enum Outcome: Sendable {
        /// What `execute` returned.
        case output(Action.Output)
        /// The description of the error that `execute` threw.
        case failure(String)
    }

    /// The action whose work has ended.
    public let action: Action
    /// What came of the work.
    public let outcome: Outcome
    /// The work that has ended; nil if the action was not made by the store, or was decoded.
    let execution: ExecutionID?

    /// Creates the action without any work, for a test.
    public init(_ action: Action, _ outcome: Outcome) {
        self.init(action: action, outcome: outcome, execution: nil)
    }

    init(action: Action, outcome: Outcome, execution: ExecutionID?) {
        self.action = action
        self.outcome = outcome
        self.execution = execution
    }

    public func reduce(_ state: inout Action.State) {
        switch outcome {
        case .output(let output): action.reduce(&state, output)
        case .failure(let failure): action.reduce(&state, failure: failure)
        }
    }
}

private enum CodingKeys: CodingKey {
    case action, output, failure
}

extension Finished: Encodable where Action: Encodable, Action.Output: Encodable {
    /// Encodes `action`, and either `output` or `failure`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(action, forKey: .action)
        switch outcome {
        case .output(let output): try container.encode(output, forKey: .output)
        case .failure(let failure): try container.encode(failure, forKey: .failure)
        }
    }
}

extension Finished: Decodable where Action: Decodable, Action.Output: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode(Action.self, forKey: .action),
            container.contains(.failure)
                ? .failure(try container.decode(String.self, forKey: .failure))
                : .output(try container.decode(Action.Output.self, forKey: .output)))
    }
}

/// A `Finished` of any action.
protocol EndOfExecution {
    var execution: ExecutionID? { get }
}

extension Finished: EndOfExecution {}
