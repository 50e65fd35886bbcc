import StateTape

enum AppAction: String, Codable { case fill }

enum Kind: String, Codable { case food, tool }

enum Screen: Codable {
    case list
    case detail(id: Int)
}

struct Item: Codable {
    var id: Int
    var title: String
    var kind = Kind.food
}

struct Account: Codable {
    var name: String
    var password: String
}

struct Cart: Codable {
    var qty = 0
}

struct AppState: Codable {
    var cart = Cart()
    var title = ""
    var count = 0
    var screen = Screen.list
    var items: [Item] = []
    var accounts: [Account] = []
    var note = "same"

    mutating func fill() {
        cart.qty = 3
        title = "Mine"
        count = 5
        screen = .detail(id: 7)
        items = [Item(id: 1, title: "Milk"), Item(id: 2, title: "Saw", kind: .tool)]
        accounts = [Account(name: "Ana", password: "hunter2")]
        note = "kept"
    }
}

func migrate(_ tape: Recorder) {}
