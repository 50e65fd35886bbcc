import Foundation
import StateTape
import TapeEngine
import TapeFormat

/// A running replay: compares the state after each step with the tape.
struct ReplayRun<State, Action> {
    /// The first event after which the states differ.
    struct Divergence {
        let line: EventLine
        let differences: [StateComparison.Difference]
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
            throw ReplayFailure("\(file.path): \(SuppliedSecrets.report(plan.lacking))")
        }
        do { try plan.checkContent() } catch { throw ReplayFailure("\(file.path): \(error)") }
        if !plan.changes.isEmpty { print("\(file.path): \(ReplayPlan<State, Action>.report(plan.changes))") }
        comparison.ignore(plan.incomparable)
        self.codec = codec
        _ = try self.codec.write(plan.initial)
        tellSkipped(plan.lacking.map(\.line), "their actions hold secrets that the tape lacks")
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
        do {
            return try codec.state(replay.secrets.fill(json), initial: plan.initial, current: current).value
        } catch {
            throw ReplayFailure("\(file.path): \(error.message)\(error.path.map { ", at \($0)" } ?? "")")
        }
    }

    /// Compares the state after a step with the recorded one.
    mutating func check(_ step: ReplayPlan<State, Action>.Step, _ state: State) throws {
        if divergence != nil { return try keep(step, state) }
        guard step.line.hasState else { return }
        let (name, text) = try codec.write(state)
        if case .given = step.work {
            isInStep = true
            return
        }
        // The same change of the same state: as most, and ten times as fast as comparing the states.
        if isInStep, let written = step.line.raw(name), written.elementsEqual(text) { return }
        let answer = try states.state(of: tape, store: plan.store, after: step.line.seq)
        guard case .state(let recorded) = answer else {
            throw ReplayFailure(
                """
                \(file.path): the state after event \(step.line.seq) can't be computed, because a patch doesn't apply. See \
                statetape verify \(file.path)
                """)
        }
        let replayed = try codec.tree(of: state)
        let differences = comparison.differences(recorded, replayed)
        guard !differences.isEmpty else {
            isInStep = comparison.ordered.differences(recorded, replayed).isEmpty
            return
        }
        divergence = Divergence(line: step.line, differences: differences)
        // In full: the recorded state is no base for a patch any more.
        codec.record(replay.redaction)
        try keep(step, state)
    }

    private mutating func keep(_ step: ReplayPlan<State, Action>.Step, _ state: State) throws {
        guard let member = step.line.stateMember else { return }
        // That of an `init`, or after a gap: a patch would have no base.
        if case .given = step.work, member == "state" { codec.forget() }
        let (name, text) = try codec.write(state)
        lines[step.line.seq] = step.line.replacing(member, by: name, try JSON(parsing: text))
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
        lines[next.seq] = next.replacing("patch", by: "state", state)
    }

    /// The failure of the test; nil if the states were equal.
    mutating func failure() throws -> String? {
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
            let made = try ReplayedTape(tape, lines).write(beside: replay.name)
            text.append("The tape of this run: \(made.path)")
            text.append("To compare: statetape diff \(file.path) \(made.path)")
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
