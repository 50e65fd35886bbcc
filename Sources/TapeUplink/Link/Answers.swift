import TapeFormat

/// The pushes that the app received, and the answers to them.
///
/// The app plays each push once. If the server sends a push again, the app repeats its answer.
struct Answers: Sendable {
    /// How many ids are remembered.
    static let memory = 256

    private var order: [String] = []
    private var known: [String: Pushed?] = [:]
    private var unsent: [Pushed] = []

    /// Whether to play a push. If it was answered before, its answer is sent again.
    mutating func isNew(_ id: String) -> Bool {
        switch known[id] {
        case .some(.some(let answer)):
            unsent.append(answer)
            return false
        case .some(.none): return false
        case .none:
            remember(id, nil)
            return true
        }
    }

    /// - Parameter isConnected: Without a connection the answer is only remembered.
    mutating func answer(_ pushed: Pushed, isConnected: Bool) {
        // A start of several stores is answered once, by the first store.
        if case .some(.some) = known[pushed.id] { return }
        remember(pushed.id, pushed)
        if isConnected { unsent.append(pushed) }
    }

    /// Takes the next answer that may be sent when all events below `cursor` have been.
    mutating func next(below cursor: Int) -> Pushed? {
        guard let index = unsent.firstIndex(where: { $0.isDue(below: cursor) }) else { return nil }
        return unsent.remove(at: index)
    }

    /// Forgets the unsent answers, because the connection that asked is closed.
    mutating func forgetUnsent() {
        unsent = []
    }

    /// Forgets a push that was not played. If the server sends it again, it is played then.
    mutating func forget(_ id: String) {
        guard case .some(.none) = known[id] else { return }
        known[id] = nil
        order.removeAll { $0 == id }
    }

    private mutating func remember(_ id: String, _ answer: Pushed?) {
        if known.updateValue(answer, forKey: id) == nil { order.append(id) }
        if order.count > Self.memory { known[order.removeFirst()] = nil }
    }
}

extension Pushed {
    fileprivate func isDue(below cursor: Int) -> Bool {
        switch result {
        case .played(let seq, _): seq < cursor
        case .failed: next ?? 0 <= cursor
        }
    }
}
