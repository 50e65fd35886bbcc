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
// Unchecked: the count is guarded by the lock.
nonisolated final class EffectCount: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }
    func start() { lock.withLock { count += 1 } }
}

/// A store that was made by a recipe.
nonisolated struct Recipe {
    /// Adds 3 to the count, as the app would. It keeps the store alive.
    let act: () -> Void
    /// Adds 10 with code in front of the reducer; nil if the recipe has none.
    var later: (() -> Void)?
    /// The effects of `act`; nil if the recipe has none.
    var effects: EffectCount?

    init(_ effects: EffectCount? = nil, _ act: @escaping () -> Void, later: (() -> Void)? = nil) {
        self.effects = effects
        self.act = act
        self.later = later
    }

    typealias Make = @MainActor @Sendable (Recorder) -> Recipe

    static let all: [(name: String, make: Make)] = [
        ("own store", { ownStoreRecipe($0) }), ("own store, effects", { ownEffectsRecipe($0) }),
        ("ObservableObject", { observableObjectRecipe($0) }),
        ("ReSwift", { ReSwiftRecipe.start($0) }), ("Puredux", { PureduxRecipe.start($0) }),
        ("SwiftUIFlux", { SwiftUIFluxRecipe.start($0) }), ("TCA", { composableRecipe($0) }),
        ("Flux", { fluxRecipe($0) }),
    ]
}
