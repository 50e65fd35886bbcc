/// What a person can ask for, as typed: todos are named by their number on the screen.
enum Command: Equatable, Sendable {
    case add(title: String, tags: [String], due: Day?)
    case done([Int])
    case reopen([Int])
    case rename(Int, title: String)
    case tag(Int, [String])
    case untag(Int, [String])
    case due(Int, Day?)
    case move(Int, list: String)
    case remove([Int])
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

/// Why a command was not understood or can't be done, in a sentence for the person who typed it.
struct CommandError: Error, Equatable {
    let message: String
}
