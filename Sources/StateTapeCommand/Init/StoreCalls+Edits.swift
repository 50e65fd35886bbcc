import Foundation

extension StoreCalls {
    func own(_ call: Call) -> FoundStore.Outcome {
        let rest = source.code(call.range.upperBound..<source.bytes.count)
        if rest.prefixMatch(of: /\s*\.taped\(/) != nil || source.code(call.range).contains("track.") {
            return .byHand("It is recorded already.")
        }
        return .edits([SourceEdit(call.range.upperBound, ".taped(by: Recorder())")])
    }

    func reSwift(_ call: Call) -> FoundStore.Outcome {
        guard let reducer = call["reducer"], let state = state(of: call) else {
            return .byHand("The type of its state isn't clear: write `Store<State>(…)`, and try again.")
        }
        let given = call["state"].map { source.text($0.value) } ?? "nil"
        let initial = given == "nil" ? "\(state)()" : given
        var edits = [
            SourceEdit(
                reducer.value,
                """
                { action, state in
                    if let play = action as? PlayedState { return play.state }
                    var next = state ?? track.start
                    track.record(action, &next) { $0 = reduce(action, $0) }
                    return next
                }
                """.indented(source.indent(reducer.value.lowerBound) + (isPlain(call) ? "" : "    ")))
        ]
        if let argument = call["state"] {
            edits.append(SourceEdit(argument.value, "track.start"))
        } else {
            return .byHand("It has no argument `state:`.")
        }
        let actions = all.filter { $0.imports("ReSwift") }.flatMap { $0.actions(for: source) }.sorted().map {
            "\($0).self"
        }.joined(separator: ", ")
        let decoding = actions.isEmpty ? "" : ", decoding: [\(actions)]"
        edits = wrapping(
            call, edits,
            before: [
                "let track = tape.track(\(initial), (any ReSwift.Action).self\(decoding))",
                "let reduce: ReSwift.Reducer<\(state)> = \(source.original(reducer.value))",
            ],
            after:
                "track.connect(state: { STORE.state }, dispatch: { STORE.dispatch($0) }, play: { STORE.dispatch(PlayedState(state: $0)) })"
        )
        let end = source.bytes.count
        let isWhole = source.bytes.last == UInt8(ascii: "\n")
        return .edits(
            edits + [
                SourceEdit(
                    end,
                    "\(isWhole ? "" : "\n")\n/// Sets the state that StateTape applies.\nprivate struct PlayedState: ReSwift.Action { let state: \(state) }\n"
                )
            ])
    }

    func puredux(_ call: Call) -> FoundStore.Outcome {
        guard call.types.count == 2, let initial = call.arguments.first else {
            return .byHand(
                "The types of its state and actions aren't clear: write `StateStore<State, Action>(…)`, and try again."
            )
        }
        guard let reducer = call.trailing ?? call["reducer"]?.value,
            call.arguments.count == (call.trailing == nil ? 2 : 1),
            call.declaration != nil
        else { return .byHand("It isn't of the form `let store = StateStore<State, Action>(initial) { … }`.") }
        let (state, action) = (call.types[0], call.types[1])
        let edits = [
            SourceEdit(
                call.range,
                """
                root.map(actions: { (action: \(action)) in TapedAction.app(action, .current) })
                """)
        ]
        let root = """
            let root = StateStore<\(state), TapedAction>(track.start) { @Sendable state, action in
                switch action {
                case .app(let action, let origin):
                    track.dispatch(from: origin) { track.record(action, &state) { reduce(&$0, action) } }
                case .play(let played): state = played
                }
            }
            """
        let isWhole = source.bytes.last == UInt8(ascii: "\n")
        return .edits(
            wrapping(
                call, edits,
                before: [
                    "let track = tape.track(\(source.original(initial.value)), \(action).self)",
                    "let reduce: @Sendable (inout \(state), \(action)) -> Void = \(source.original(reducer))", root,
                ],
                after:
                    "track.connect(dispatch: { root.dispatch(.app($0, .current)) }, play: { root.dispatch(.play($0)) })"
            )
                + [
                    SourceEdit(
                        source.bytes.count,
                        "\(isWhole ? "" : "\n")\n/// An action of the app, or a state that StateTape applies.\nprivate enum TapedAction { case app(\(action), DispatchOrigin), play(\(state)) }\n"
                    )
                ])
    }

    /// The type of a state that an initializer makes.
    private func type(_ argument: SwiftSource.Argument) -> String? {
        source.code(argument.value).firstMatch(of: /^([A-Z][\w.]*)\(/).map { String($0.1) }
    }

    /// The type of the state of a store of ReSwift: that of the call, or what its reducer returns.
    private func state(of call: Call) -> String? {
        if let type = call.types.first ?? call["state"].flatMap(type) { return type }
        guard let reducer = call["reducer"].map({ source.code($0.value) }),
            reducer.allSatisfy({ $0.isLetter || $0.isNumber })
        else { return nil }
        let patterns = [
            #"\bfunc\s+\#(reducer)\s*\([^()]*\)\s*->\s*([A-Z][\w.]*)"#,
            #"\b(?:let|var)\s+\#(reducer)\s*:\s*(?:ReSwift\.)?Reducer<([\w.]+)>"#,
        ]
        let found = patterns.flatMap { pattern in
            all.flatMap { file in file.matches(pattern).compactMap { $0.groups[0].map(file.code) } }
        }
        return found.count == 1 ? found[0] : nil
    }

    /// What to write by hand for a store of a library.
    func lines(_ call: Call, _ kind: FoundStore.Kind) -> [String] {
        switch kind {
        case .reSwift:
            let reducer = call["reducer"].map { source.code($0.value) } ?? ""
            return FoundStore.reSwiftLines(
                state: state(of: call) ?? "AppState",
                reducer: reducer.wholeMatch(of: /\w+/) == nil ? "appReducer" : reducer)
        case .puredux: return FoundStore.pureduxLines
        case .composable: return ["import StateTape"]
        case .own, .model, .reducer: return []
        }
    }

    /// The types of a store's state and actions, as far as the call says; ReSwift's actions are named by `decoding:`.
    func codable(_ call: Call, _ kind: FoundStore.Kind) -> [String] {
        switch kind {
        case .puredux: return call.types
        case .reSwift: return [state(of: call)].compactMap { $0 }
        case .own:
            guard let state = call["initial"].flatMap(type), let reducer = call["reducer"] else { return [] }
            let pattern =
                #"\bfunc\s+\#(source.code(reducer.value))\s*\([^:()]*:\s*inout\s+\#(state)\s*,[^:()]*:\s*([A-Z]\w*)\s*\)"#
            let action = all.lazy.compactMap { source in
                source.matches(pattern).first?.groups[0].map(source.code)
            }.first
            return [state] + [action].compactMap { $0 }
        case .composable, .model, .reducer: return []
        }
    }

    /// Whether the lines can stand around the call's statement.
    private func isPlain(_ call: Call) -> Bool {
        call.declaration.map(source.allowsStatements) == true
            && source.matches(#"\b(tape|track|reduce|root)\b"#).isEmpty
    }

    /// Adds lines before and after a call's statement; in a closure where a statement can't stand.
    private func wrapping(_ call: Call, _ edits: [SourceEdit], before: [String], after: String) -> [SourceEdit] {
        let before = ["let tape = Recorder()"] + before
        let indent = source.indent(call.range.lowerBound)
        if isPlain(call), let start = call.declaration {
            let lines = before.map { $0.indented(indent) + "\n" + indent }.joined()
            let end = source.lineEnd(call.range.upperBound)
            return [SourceEdit(start, lines)] + edits
                + [SourceEdit(end, "\n\(indent)\(after.replacing("STORE", with: call.name))")]
        }
        let inner = indent + "    "
        let lines = before.map { inner + $0.indented(inner) + "\n" }.joined()
        let isIndented = !source.text(call.range).contains("\"\"\"")
        let starts = call.range.filter { $0 > 0 && source.bytes[$0 - 1] == UInt8(ascii: "\n") }.filter { start in
            isIndented && !edits.contains { $0.range.contains(start) }
        }
        return [SourceEdit(call.range.lowerBound, "{\n\(lines)\(inner)let store = ")]
            + starts.map { SourceEdit($0, "    ") } + edits + [
                SourceEdit(
                    call.range.upperBound,
                    "\n\(inner)\(after.replacing("STORE", with: "store"))\n\(inner)return store\n\(indent)}()")
            ]
    }
}
