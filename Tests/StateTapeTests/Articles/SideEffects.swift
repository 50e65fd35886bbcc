import StateTape
import StateTapeStore
import Testing

@MainActor enum SideEffectsArticle {
    // snippet
    struct Search: Codable, Equatable {
        var text = ""
        var isSearching = false
        var items: [String] = []
    }

    enum SearchAction: Codable {
        case search(String)
        case found([String])
    }

    nonisolated static func reduce(_ state: inout Search, _ action: SearchAction) {
        switch action {
        case .search(let text): (state.text, state.isSearching) = (text, true)
        case .found(let items): (state.items, state.isSearching) = (items, false)
        }
    }
    // end

    private static func finds(_ store: Store<Search, some Any>) async {
        for await items in store.states(\.items) where items == ["tea"] { break }
        #expect(!store.state.isSearching)
    }

    static func mapped(_ tape: Recorder) async {
        // snippet
        func effects(action: SearchAction, state: Search) -> Effect<SearchAction>? {
            guard case .search(let text) = action else { return nil }
            return Effect(id: "search") { dispatch in
                await dispatch(.found((try? await remote.find(text)) ?? []))
            }
        }

        let store = Store(initial: Search(), reducer: reduce, effects: effects).taped(by: tape)
        // end
        store.dispatch(.search("tea"))
        await finds(store)
    }

    static func executable(_ tape: Recorder) async {
        // snippet
        protocol AppAction: Codable, Sendable {}

        struct Found: AppAction { var items: [String] }

        struct Find: AppAction, ExecutableAction {
            var text: String

            func execute(_ state: Search, _ dispatch: Effect<any AppAction>.Dispatch) async {
                await dispatch(Found(items: (try? await remote.find(text)) ?? []))
            }
        }

        let store = Store<Search, any AppAction>(
            initial: Search(),
            reducer: { state, action in if let found = action as? Found { state.items = found.items } },
            effects: Effect<any AppAction>.executing
        ).taped(by: tape, decoding: [Find.self, Found.self])
        // end
        store.dispatch(Find(text: "tea"))
        await finds(store)
    }

    static func feedback(_ tape: Recorder) async {
        // snippet
        func feedback(_ state: inout Search, _ action: SearchAction) -> Effect<SearchAction>? {
            reduce(&state, action)
            guard case .search(let text) = action else { return nil }
            return Effect { dispatch in await dispatch(.found((try? await remote.find(text)) ?? [])) }
        }

        let store = Store(initial: Search(), feedback: feedback).taped(by: tape)
        // end
        store.dispatch(.search("tea"))
        await finds(store)
    }

    static func driver(_ tape: Recorder) async {
        // snippet
        let store = Store(initial: Search(), reducer: reduce).taped(by: tape)
        let driver = Driver(
            of: store,
            wants: { state in state.isSearching ? [state.text] : [] },
            run: { text, dispatch in
                await dispatch(.found((try? await remote.find(text)) ?? []))
            })
        // end
        store.dispatch(.search("tea"))
        await finds(store)
        withExtendedLifetime(driver) {}
    }
}
