/// A typed command; it names todos by their number on the screen.
enum Command: Equatable, Sendable {
    case add(title: String, tags: [String], due: Day?)
    case done(Numbers)
    case reopen(Numbers)
    case rename(Int, title: String)
    case tag(Int, [String])
    case untag(Int, [String])
    case due(Int, Day?)
    case move(Int, list: String)
    case remove(Numbers)
    case clear
    case undo
    case list(String)
    case renameList(String)
    case removeList
    case filter(Filter)
    case sync
    case help
    case quit
}

/// The numbers of todos.
enum Numbers: Equatable, Sendable, ExpressibleByArrayLiteral {
    /// All todos on the screen.
    case all
    case these([Int])

    init(arrayLiteral numbers: Int...) {
        self = .these(numbers)
    }
}

/// An error message for an invalid command.
struct CommandError: Error, Equatable {
    let message: String
}
