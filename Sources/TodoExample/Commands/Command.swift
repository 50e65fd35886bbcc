/// What a person can ask for, as typed: todos are named by their number on the screen.
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

/// Todos by their numbers.
enum Numbers: Equatable, Sendable, ExpressibleByArrayLiteral {
    /// All that are on the screen.
    case all
    case these([Int])

    init(arrayLiteral numbers: Int...) {
        self = .these(numbers)
    }
}

/// Why a command was not understood or can't be done, in a sentence for the person who typed it.
struct CommandError: Error, Equatable {
    let message: String
}
