import Foundation
import StateTape

// The app of the recipes. README and the articles show the code between `recipe` and `end` in the other files, word for
// word. The fixture with everything on the main actor compiles and runs the same files.

struct AppState: Codable, Equatable, Sendable {
    var count = 0
    var names: [String] = []
}

enum AppAction: Codable, Sendable {
    case add(Int)
    case rename(String)
}

func appReducer(_ state: inout AppState, _ action: AppAction) {
    switch action {
    case .add(let number): state.count += number
    case .rename(let name): state.names.append(name)
    }
}

/// Counts the effects that a recipe's store starts.
// Unchecked: the numbers are guarded by the lock.
nonisolated final class EffectCount: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    private var wanted = 0

    var value: Int { lock.withLock { count } }

    /// How many of the next effects dispatch an action.
    var dispatching: Int {
        get { lock.withLock { wanted } }
        set { lock.withLock { wanted = newValue } }
    }

    /// Starts an effect.
    ///
    /// - Parameter dispatch: Dispatches an action; called later, in a task.
    func start(_ dispatch: @escaping () -> Void = {}) {
        let dispatches = lock.withLock {
            count += 1
            defer { wanted = max(wanted - 1, 0) }
            return wanted > 0
        }
        guard dispatches else { return }
        let hand = Hand(dispatch: dispatch)
        Task { @MainActor in hand.dispatch() }
    }

    // Unchecked: the sender does not touch it again.
    private struct Hand: @unchecked Sendable {
        let dispatch: () -> Void
    }
}

/// A store that was made by a recipe.
nonisolated struct Recipe {
    /// Adds 3 to the count, as the app would. It keeps the store alive.
    let act: () -> Void
    /// Adds 10 with code in front of the reducer; nil if the recipe has none.
    var later: (() -> Void)?
    /// The effects of `act`; nil if the recipe has none.
    var effects: EffectCount?
    /// The call sites that `act` may have: this line or the next.
    let callSites: [String]

    init(
        _ effects: EffectCount? = nil, fileID: String = #fileID, line: Int = #line, _ act: @escaping () -> Void,
        later: (() -> Void)? = nil
    ) {
        self.effects = effects
        self.act = act
        callSites = ["\(fileID):\(line)", "\(fileID):\(line + 1)"]
        self.later = later
    }

    typealias Make = @MainActor @Sendable (Recorder) -> Recipe

    static let all: [(name: String, make: Make)] = [
        ("own store", { ownStoreRecipe($0) }), ("own store, effects", { ownEffectsRecipe($0) }),
        ("ObservableObject", { observableObjectRecipe($0) }),
        ("ReSwift", { ReSwiftRecipe.start($0) }), ("Puredux", { PureduxRecipe.start($0) }),
        ("SwiftUIFlux", { SwiftUIFluxRecipe.start($0) }), ("TCA", { composableRecipe($0) }),
        ("Flux", { fluxRecipe($0) }), ("actor", { ActorRecipe.start($0) }),
        ("loop", { LoopRecipe.start($0) }),
    ]
}
