import StateCapture
import TapeFormat

// What changed in the types of the states since an older build.
extension Recorder {
    /// Says that a member had another name in older builds, so that their states keep its value. Call it before you
    /// track the store.
    ///
    /// ```swift
    /// tape.renamed("/cart/qty", to: "/cart/quantity")
    /// tape.renamed("/items/*/done", to: "/items/*/isDone")
    /// ```
    ///
    /// - Parameters:
    ///   - old: The earlier place as a JSON pointer. `*` stands for each element or entry, in the part that both
    ///     pointers share.
    ///   - new: The place that the state has now.
    ///   - store: The store whose states changed; nil: every store that has the earlier place.
    public func renamed(_ old: String, to new: String, store: String? = nil) {
        guard let from = pointer(old, "renamed"), let to = pointer(new, "renamed") else { return }
        let shared = zip(from.tokens, to.tokens).prefix { $0 == $1 }.count
        guard !(from.tokens[shared...] + to.tokens[shared...]).contains("*"), shared < from.tokens.count else {
            return log("renamed(“\(old)”, to: “\(new)”) has no effect: “*” must be in the part that both share.")
        }
        migrations.add(store: store) { Patch.renaming(from, to: to, in: $0) }
    }

    /// Says which value a new member has in the states of older builds. Call it before you track the store.
    ///
    /// A member of the state itself needs no such line: it takes the initial state's value. A member of an element has
    /// none there, and a default in Swift's source is not known to Codable.
    ///
    /// ```swift
    /// tape.added("/items/*/quantity", 1)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The place as a JSON pointer, in which `*` stands for each element or entry.
    ///   - value: The value where a state lacks the member.
    ///   - store: The store whose states changed; nil: every store that has the object around the member.
    public func added(_ path: String, _ value: some Codable, store: String? = nil) {
        guard let place = pointer(path, "added") else { return }
        do {
            let json = try StateCodec().tree(of: value)
            migrations.add(store: store) { Patch.adding(json, at: place, in: $0) }
        } catch {
            log("added(“\(path)”) has no effect: its value can't be encoded: \(redactor.readable(error))")
        }
    }

    private func pointer(_ text: String, _ call: String) -> Pointer? {
        if let pointer = try? Pointer(parsing: text), !pointer.tokens.isEmpty { return pointer }
        log("\(call)(“\(text)”) has no effect: a place is a JSON pointer such as “/cart/quantity”.")
        return nil
    }
}
