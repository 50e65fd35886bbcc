/// The line editor of the prompt, for a terminal in raw mode.
struct LineEditor: Equatable, Sendable {
    enum Event: Equatable {
        case line(String)
        /// Ctrl-C, or Ctrl-D on an empty line.
        case end
    }

    private(set) var text: [Character] = []
    /// The cursor's position: 0 … `text.count`.
    private(set) var cursor = 0

    private var past: [String] = []
    private var recalled: Int?
    private var pending: [UInt8] = []

    /// Handles typed bytes, and returns the resulting events.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [Event] {
        pending += bytes
        var events: [Event] = []
        while let (key, length) = Key.first(in: pending) {
            pending.removeFirst(length)
            if let event = press(key) { events.append(event) }
        }
        return events
    }

    private mutating func press(_ key: Key) -> Event? {
        switch key {
        case .enter:
            let line = String(text)
            if !line.isEmpty, past.last != line { past.append(line) }
            set("")
            recalled = nil
            return .line(line)
        case .interrupt: return .end
        case .end where text.isEmpty: return .end
        case .end, .delete: if cursor < text.count { text.remove(at: cursor) }
        case .backspace:
            guard cursor > 0 else { break }
            cursor -= 1
            text.remove(at: cursor)
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .home: cursor = 0
        case .lineEnd: cursor = text.count
        case .up: recall(by: -1)
        case .down: recall(by: 1)
        case .eraseLine:
            text.removeFirst(cursor)
            cursor = 0
        case .eraseWord:
            let end = text[..<cursor].lastIndex { $0 != " " } ?? 0
            let start = text[..<end].lastIndex(of: " ").map { $0 + 1 } ?? 0
            text.removeSubrange(start..<cursor)
            cursor = start
        case .character(let character):
            text.insert(character, at: cursor)
            cursor += 1
        case .other: break
        }
        return nil
    }

    private mutating func recall(by step: Int) {
        let next = (recalled ?? past.count) + step
        guard next >= 0, next <= past.count else { return }
        recalled = next
        set(next < past.count ? past[next] : "")
    }

    private mutating func set(_ line: String) {
        text = Array(line)
        cursor = text.count
    }
}
