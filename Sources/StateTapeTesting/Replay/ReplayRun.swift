import Foundation
import StateTape
import TapeEngine
import TapeFormat

/// A running replay: compares the state after each step with the tape.
struct ReplayRun<State, Action> {
    /// The first event after which the states differ, or whose reducer threw another error.
    struct Divergence {
        let line: EventLine
        /// What differs, each on a line of its own.
        let differences: [String]
    }

    let plan: ReplayPlan<State, Action>
    private let replay: Replay
    private var comparison: StateComparison
    private let file: URL
    private let tape: OpenedTape
    private let states = States()
    private var codec: ReplayCodec<State, Action>
    private(set) var divergence: Divergence?
    /// Whether equal patches lead to equal states: not while an array has another order, which a patch goes by.
    private var isInStep = true
    /// The lines of this run from the divergence on.
    private var lines: [Int: EventLine] = [:]

    /// - Throws: ``ReplayFailure``.
    init(_ replay: Replay, _ codec: ReplayCodec<State, Action>, _ initial: State?) throws {
        (self.replay, comparison) = (replay, replay.comparison)
        (file, tape) = try replay.open()
        do {
            plan = try ReplayPlan(replay, tape, codec, initial)
        } catch let failure as ReplayFailure {
            throw ReplayFailure("\(file.path): \(failure)")
        }
        guard plan.changes.isPossible else {
            throw ReplayFailure("\(file.path): \(ReplayPlan<State, Action>.report(plan.changes))")
        }
        guard plan.lacking.isEmpty || replay.secrets.isSkippingAllowed else {
            throw ReplayFailure("\(file.path): \(plan.secrets.report(plan.lacking))")
        }
        do { try plan.checkContent() } catch { throw ReplayFailure("\(file.path): \(error)") }
        if !plan.changes.isEmpty { print("\(file.path): \(ReplayPlan<State, Action>.report(plan.changes))") }
        if !plan.unencodable.isEmpty {
            let seqs = plan.unencodable.map(String.init).joined(separator: ", ")
            print("\(file.path): not compared, because the app could not encode them: values since events \(seqs)")
        }
        comparison.ignore(plan.incomparable)
        self.codec = codec
        _ = try self.codec.write(plan.initial)
        tellSkipped(plan.lacking.map(\.line), "their actions hold secrets that the tape lacks")
        if !plan.lacking.isEmpty, let unused = plan.secrets.unused { print("\(file.path): \(unused)") }
        tellSkipped(plan.afterGap, "events before them are missing")
    }

    /// Says which actions are not replayed.
    private func tellSkipped(_ lines: [EventLine], _ why: String) {
        guard !lines.isEmpty else { return }
        let events = lines.prefix(20).map { "\($0.seq) “\($0.type ?? "")”" }.joined(separator: ", ")
        let rest = lines.count > 20 ? " and \(lines.count - 20) more" : ""
        print("\(file.path): not replayed, because \(why): events \(events)\(rest)")
    }

    /// The recorded state of a step.
    ///
    /// - Parameter current: Has the values that were left out of the tape.
    func state(_ json: JSON, _ current: State) throws -> State {
        var secrets = replay.secrets
        do {
            return try codec.state(secrets.fill(json), initial: plan.initial, current: current).value
        } catch {
            throw ReplayFailure("\(file.path): \(error.message)\(error.path.map { ", at \($0)" } ?? "")")
        }
    }

    /// Whether the tape has an error that an action threw.
    func isRecorded(_ error: any Error, _ step: ReplayPlan<State, Action>.Step) -> Bool {
        step.line["error"]?.string == codec.text(of: error, replay.redaction)
    }

    /// Passes a step whose error the tape has: the state after it is unknown until the next one.
    mutating func pass(_ step: ReplayPlan<State, Action>.Step) {
        isInStep = false
        guard divergence != nil, let member = step.line.stateMember else { return }
        lines[step.line.seq] = step.line.replacing(member, by: "skipped", true)
    }

    /// Compares the state after a step with the recorded one.
    ///
    /// - Parameters:
    ///   - thrown: The error that the reducer threw.
    ///   - isKnown: Whether that is known, so that it is compared, too: a store of the app's own may keep it to itself.
    mutating func check(
        _ step: ReplayPlan<State, Action>.Step, _ state: State, throwing thrown: (any Error)? = nil,
        isKnown: Bool = true
    ) throws {
        let error = isKnown ? thrown.map { codec.text(of: $0, replay.redaction) } : step.line["error"]?.string
        if divergence != nil { return try keep(step, state, error) }
        var differences = try differences(step, state).map(\.description)
        if case .action = step.work, error != step.line["error"]?.string {
            let texts = [step.line["error"]?.string, error].map { $0.map { "“\($0)”" } ?? "no error" }
            differences.append("the reducer threw: recorded \(texts[0]), now \(texts[1])")
        }
        guard !differences.isEmpty else { return }
        divergence = Divergence(line: step.line, differences: differences)
        // In full: a patch can no longer build on the recorded state.
        codec.record(replay.redaction)
        try keep(step, state, error)
    }

    private mutating func differences(
        _ step: ReplayPlan<State, Action>.Step, _ state: State
    ) throws -> [StateComparison.Difference] {
        guard step.line.hasState else { return [] }
        let (name, text) = try codec.write(state)
        if case .given = step.work {
            isInStep = true
            return []
        }
        // The same change of the same state: as most, and ten times as fast as comparing the states.
        if isInStep, let written = step.line.raw(name), written.elementsEqual(text) { return [] }
        let answer = try states.state(of: tape, store: plan.store, after: step.line.seq)
        guard case .state(let held) = answer else {
            throw ReplayFailure(
                """
                \(file.path): the state after event \(step.line.seq) can't be computed, because a patch doesn't apply. See \
                statetape verify \(file.path.shellPath)
                """)
        }
        let (recorded, replayed) = (try held.json(), try codec.tree(of: state))
        let differences = comparison.differences(recorded, replayed)
        if differences.isEmpty { isInStep = comparison.ordered.differences(recorded, replayed).isEmpty }
        return differences
    }

    private mutating func keep(_ step: ReplayPlan<State, Action>.Step, _ state: State, _ error: String?) throws {
        guard let member = step.line.stateMember else { return }
        // That of an `init`, or after a gap: a patch would have no base.
        if case .given = step.work, member == "state" { codec.forget() }
        let (name, text) = try codec.write(state)
        var line = step.line.replacing(member, by: name, try JSON(parsing: text))
        if case .action = step.work { line = line.setting("error", to: error.map(JSON.string)) }
        lines[step.line.seq] = line
    }

    /// Lets the events after the replayed ones keep their recorded states, although the one before them has changed.
    private mutating func keepRest() throws {
        var next: EventLine?
        try tape.each(in: plan.end + 1..<tape.seqs.upperBound) { line in
            if line.store == plan.store, line.raw("patch") != nil { next = line }
            // A full state, or none, stops the chain of patches.
            return next == nil && line.kind != .gap
                && !(line.store == plan.store && (line.raw("state") != nil || line.kind == .detach))
        }
        guard let next, case .state(let state) = try states.state(of: tape, store: plan.store, after: next.seq)
        else { return }
        lines[next.seq] = next.replacing("patch", by: "state", try state.json())
    }

    /// The failure of the test; nil if the states were equal.
    mutating func failure(at location: TestLocation) throws -> String? {
        guard let divergence else { return nil }
        try keepRest()
        let line = divergence.line
        let action = line["action"]?["payload"].map { " \(StateComparison.Difference.text($0))" } ?? ""
        let name = line.type.map { ", “\($0)”\(action)" } ?? ", a state without an action"
        var text = ["\(file.lastPathComponent): first difference after event \(line.seq)\(name):"]
        text += divergence.differences.map { "  \($0)" }
        let isCopy = !replay.sources.contains(file)
        if case .failing = replay.mode, !isCopy {
            try ReplayedTape(tape, lines).write(to: file)
            text.append(
                "The tape was recorded anew from event \(line.seq) on: look at the change, then run the test again.")
        } else {
            let made = try ReplayedTape(tape, lines).write(
                ReplayPlace(replay.name, module: location.module), failure: text.joined(separator: "\n"),
                at: location.name)
            if !KeptTape.isCollected(made) {
                text.append("The tape of this run: \(made.path)")
                text.append("To compare: statetape diff \(file.path.shellPath) \(made.path.shellPath)")
            }
            if case .failing = replay.mode {
                text.append(
                    """
                    It was not recorded anew: \(file.path) is the build's copy, which the next build replaces. Pass the \
                    path from the test's own folder, as in Replay("Resources/\(replay.name)").
                    """)
            }
        }
        return text.joined(separator: "\n")
    }
}

extension EventLine {
    /// The member with the state, in whatever form; nil if the recorder wrote none.
    fileprivate var stateMember: String? { ["patch", "state", "skipped"].first { raw($0) != nil } }
}
