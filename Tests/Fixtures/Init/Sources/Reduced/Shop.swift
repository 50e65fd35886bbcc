import ReSwift

struct ShopState: Codable { var items: [String] = [] }
struct AddItem: Action, Codable { let name: String }

func shopReducer(action: any Action, state: ShopState?) -> ShopState {
    var state = state ?? ShopState()
    if let add = action as? AddItem { state.items.append(add.name) }
    return state
}

@MainActor let shop = Store<ShopState>(reducer: shopReducer, state: nil)
