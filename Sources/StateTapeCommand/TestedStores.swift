import TapeFormat

/// What the source of a test says of the stores that it replays: imports, remarks and calls. The page makes the same
/// text, in `web/model/tested-stores.js`.
struct TestedStores {
    /// Names of Testing and StateTapeTesting, which a test imports as well.
    private static let taken: Set<String> = [
        "Attachable", "Attachment", "Bug", "Comment", "Confirmation", "ExitTest", "Issue", "Replay", "Runner",
        "SourceLocation", "Tag", "Tape", "TapedTestCase", "TapedTrait", "Test", "TimeLimitTrait", "Trait",
    ]
    /// Modules of the toolchain that no test needs to import.
    private static let known: Set<String> = ["Swift", "StateTapeTesting", "Testing"]

    private struct Store {
        let state: SwiftName
        let action: SwiftName
        let decoding: [SwiftName]

        init?(_ types: Header.StoreTypes) {
            guard let state = SwiftName(types.state), let action = SwiftName(types.action) else { return nil }
            (self.state, self.action) = (state, action)
            decoding = types.decoding.compactMap(SwiftName.init)
        }

        var names: [SwiftName] { [state, action] + decoding }
    }

    private let stores: [(name: String, types: Store?)]
    private let header: Header

    /// - Parameters:
    ///   - header: The tape's.
    ///   - stores: The replayed stores, with their types, if the tape has them.
    init(_ header: Header, _ stores: [(name: String, types: Header.StoreTypes?)]) {
        self.header = header
        self.stores = stores.map { ($0.name, $0.types.flatMap(Store.init)) }
    }

    private var names: [SwiftName] { stores.flatMap { $0.types?.names ?? [] } }

    /// The test target that has the types, which a file of that target can't import.
    private var ownModule: String? {
        let modules = Set(names.flatMap(\.mentions).map(\.module))
        if let module = header.labels["module"] { return modules.contains(module) ? module : nil }
        return modules.sorted().first { $0.hasSuffix("Tests") }
    }

    /// The import lines of a file.
    var imports: [String] {
        let (own, names) = (ownModule, names)
        func modules(_ found: [String]) -> Set<String> {
            Set(found).subtracting(Self.known).filter { $0 != own && !$0.hasPrefix("_") }
        }
        let isTyped = stores.contains { $0.types != nil }
        let target = header.target.flatMap { isTyped && SwiftName.isModule($0) ? [$0] : nil } ?? []
        // A test sees internal types of these modules. A protocol's module may be one that isn't built for tests.
        let heads = names.filter { !$0.isProtocol }.compactMap { $0.mentions.first?.module }
        let tested = modules(heads + target).subtracting(["Foundation"])
        let others = modules(names.flatMap(\.mentions).map(\.module)).subtracting(tested)
        let lines = others.union(["StateTapeTesting", "Testing"]).sorted().map { "import \($0)" }
        if own != nil, tested.isEmpty { return lines + [""] }
        let apps = tested.isEmpty ? ["<#App#>"] : tested.sorted()
        return lines + [""] + apps.map { "@testable import \($0)" } + [""]
    }

    /// Comments on what is left to do.
    var remarks: [String] {
        var remarks: [String] = []
        if stores.contains(where: { $0.types == nil }) {
            remarks.append("// The tape doesn't name all types: replace each <#…#> with a name of your app.")
        }
        if let own = ownModule {
            remarks.append("// The test target \(own) has the types: this file belongs there.")
        }
        let hidden = Set(names.compactMap(\.hidden)).sorted()
        if !hidden.isEmpty {
            let names = hidden.map { "“\($0)”" }.joined(separator: ", ")
            remarks.append(
                "// Private to a file or a function: \(names). Make it internal, so that a test can name it.")
        }
        let guesses = Set(stores.compactMap { Self.guess($0.types) }).sorted().map { "“\($0)”" }
        if !guesses.isEmpty {
            let names = guesses.joined(separator: ", ")
            remarks.append("// A tape names no reducers. Guessed from the state's type: \(names).")
            remarks += [
                "// If a method such as `send` reduces, make the test `@MainActor` and `async`, begin it with `let model = …`,",
                "// await Replay(…).verify(…, start: { model.state = $0 }, apply: { model.send($0); return model.state }), and",
                "// take `private(set)` off the state: see “A first test from a tape” (FirstTest.md in StateTapeTesting.docc).",
            ]
        }
        return remarks
    }

    /// The call that replays a store.
    func verify(_ store: String) -> String {
        guard let types = stores.first(where: { $0.name == store })?.types else {
            return ".verify(<#AppState#>.self, <#AppAction#>.self, reducer: <#appReducer#>)"
        }
        var arguments = [self.type(types.state), self.type(types.action)]
        if types.action.isProtocol {
            let listed = types.decoding.isEmpty ? ["<#the actions' types#>"] : types.decoding.map(self.type)
            arguments.append("decoding: [\(listed.joined(separator: ", "))]")
        }
        arguments.append("reducer: " + (Self.guess(types) ?? "{ $1.reduce(&$0) }"))
        return ".verify(\(arguments.joined(separator: ", ")))"
    }

    private func type(_ name: SwiftName) -> String {
        let tops = Dictionary(grouping: Set(names.flatMap(\.mentions)), by: \.top)
        let source = name.source { mention in
            mention.module != "Swift"
                && (Self.taken.contains(mention.top) || tops[mention.top].map { $0.count > 1 } ?? false)
        }
        return name.isProtocol ? "(\(source)).self" : "\(source).self"
    }

    /// `appReducer` for `AppState`, `cartReducer` for `Cart` and `Cart.State`; nil for actions that reduce themselves.
    private static func guess(_ types: Store?) -> String? {
        guard let types else { return nil }
        if types.action.isProtocol, types.action.mentions.first?.module == "StateTapeStore" { return nil }
        let path = types.state.source { _ in false }.prefix { $0 != "<" }.split(separator: ".").map(String.init)
        var name = path.last ?? ""
        if name == "State", path.count > 1 { name = path[path.count - 2] }
        if name.hasSuffix("State"), name != "State" { name.removeLast("State".count) }
        return name.prefix(1).lowercased() + name.dropFirst() + "Reducer"
    }
}
