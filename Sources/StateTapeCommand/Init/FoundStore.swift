/// A store in a package's sources, and how it is connected to a recorder.
struct FoundStore {
    enum Kind: String, CaseIterable {
        case own = "StateTapeStore"
        case reSwift = "ReSwift"
        case puredux = "Puredux"
        case composable = "The Composable Architecture"
        /// A class or an actor with a state and a method that takes an action.
        case model = "A store of your own"
        case reducer = "A reducer function"

        /// What the search looks for.
        var pattern: String {
            switch self {
            case .own: "`Store(initial:reducer:)` of StateTapeStore"
            case .reSwift: "`Store(reducer:state:)` of ReSwift"
            case .puredux: "`StateStore(…)` of Puredux"
            case .composable: "`Store(initialState:)` of the Composable Architecture"
            case .model:
                "a class or an actor, such as an `@Observable` class, with a state and a method that reduces an action, such as `send(_ action: AppAction)`"
            case .reducer:
                "a function such as `appReducer(_ state: inout AppState, _ action: AppAction)`, or one of the form `(AppState, AppAction) -> AppState` or `(AppAction, AppState?) -> AppState`"
            }
        }
    }

    enum Outcome {
        /// Edits of the store's file, and of another one.
        case edits([SourceEdit], elsewhere: (source: SwiftSource, edits: [SourceEdit])? = nil)
        /// Why the code is to be written by hand, as a sentence.
        case byHand(String)
    }

    let kind: Kind
    /// The class, or the constant that has the store.
    let name: String
    let source: SwiftSource
    let line: Int
    let outcome: Outcome
    /// What to look at after the edit, as sentences.
    var notes: [String] = []
    /// The types of its state and its actions, which must be `Codable`.
    var types: [String] = []
    /// What to write by hand, if the command can't.
    var lines = FoundStore.anyLines
    /// Whether the package needs StateTape for those lines.
    var isAddition = true

    var place: String { "\(name) in \(source.path), line \(line) (\(kind.rawValue))" }

    func isNamed(_ text: String) -> Bool { name == text || "\(source.path):\(line)" == text }
}

extension SwiftSource {
    /// Functions that reduce: they take a state and an action, and change the state or return the next one.
    func reducers() -> [FoundStore] {
        let (type, action) = (#"([A-Z][\w.]*)"#, #"((?:any\s+)?[A-Z][\w.]*)"#)
        let loop =
            "No class was found that keeps its state in a way that this command knows: see “A store of your own”, or, if none"
            + " keeps it, “A reducer in a loop” in the recipes."
        let ofReSwift =
            "It has the form of ReSwift's reducers: see “ReSwift” in the recipes, which fits a store of your own, too."
        // The groups of each: the function, and those of the action's parameter and type.
        let forms = [
            (#"\bfunc\s+(\w+)\s*\([^:()]*:\s*inout\s+\#(type)\s*,([^:()]*):\s*\#(action)\s*\)"#, 2, 3, loop),
            (
                #"\bfunc\s+(\w+)\s*\([^:()]*:\s*\#(type)\??\s*,([^:()]*):\s*\#(action)\s*\)\s*->\s*\2(?![\w.])"#, 2, 3,
                loop
            ),
            (
                #"\bfunc\s+(\w+)\s*\(([^:()]*):\s*\#(action)\s*,[^:()]*:\s*\#(type)\??\s*\)\s*->\s*\4(?![\w.])"#, 1, 2,
                ofReSwift
            ),
        ]
        return forms.flatMap { pattern, parameter, action, reason in
            matches(pattern).compactMap { match in
                guard let name = match.groups[0], let parameter = match.groups[parameter],
                    let action = match.groups[action],
                    code(parameter).trimmed.hasSuffix("action") || code(action).hasSuffix("Action")
                else { return nil }
                let function = code(name)
                let lines = lines(function, match.range, isActionFirst: reason == ofReSwift)
                return FoundStore(
                    kind: .reducer, name: function, source: self, line: lineNumber(name.lowerBound),
                    outcome: .byHand(reason), lines: lines)
            }
        }
    }

    /// The lines for a reducer, whose parameters are the state and the action, or the other way round.
    private func lines(_ name: String, _ declaration: Range<Int>, isActionFirst: Bool) -> [String] {
        let text = code(declaration)
        let parts = text[text.index(after: text.firstIndex(of: "(") ?? text.startIndex)...].prefix { $0 != ")" }
            .split(separator: ",").map { $0.split(separator: ":", maxSplits: 1).map(\.trimmed) }
        let labels = parts.map { part in part[0].split(separator: " ")[0] }.map { $0 == "_" ? "" : "\($0): " }
        let types = parts.map { part in part[1].split { " ?".contains($0) }.last.map(String.init) ?? part[1] }
        if isActionFirst {
            return FoundStore.actionLines(
                state: types[1], reduce: "\(name)(\(labels[0])action, \(labels[1])$0)")
        }
        let isInPlace = parts[0][1].hasPrefix("inout")
        return FoundStore.loopLines(
            initial: "\(types[0])()",
            reducer: isInPlace ? name : "{ $0 = \(name)(\(labels[0])$0, \(labels[1])$1) }")
    }
}
