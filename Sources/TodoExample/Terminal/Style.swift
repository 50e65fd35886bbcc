/// The style of text in a terminal.
enum Style: Equatable, Sendable {
    case plain, bold, dim, selected, good, warning, bad, link
    /// One of six colors, always the same for the same tag.
    case tag(String)

    /// The parameters of the escape sequence; empty for none.
    ///
    /// - Parameter colored: Without colors the text is bold, dim, underlined or inverse at most.
    func code(colored: Bool) -> String {
        guard colored else {
            switch self {
            case .good, .warning, .tag: return ""
            case .bad: return "1"
            default: return code(colored: true)
            }
        }
        return switch self {
        case .plain: ""
        case .bold: "1"
        case .dim: "2"
        case .selected: "1;7"
        case .good: "32"
        case .warning: "33"
        case .bad: "1;31"
        case .link: "4"
        case .tag(let tag):
            ["36", "35", "34", "32", "33", "96"][tag.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xffff } % 6]
        }
    }
}
