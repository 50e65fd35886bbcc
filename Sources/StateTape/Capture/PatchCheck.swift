import TapeFormat

/// Follows what is written as a reader of the tape would, and holds it against the state encoded whole.
struct PatchCheck {
    /// A patch that doesn't lead to the state after it.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The state as the tape tells it.
    private var tree: JSON = .null

    /// What the reader has after the next event.
    ///
    /// - Parameter whole: The state's own text.
    /// - Throws: ``Failure`` with the place where the two part.
    func after<State>(_ written: StateWriter<State>.Written, expecting whole: [UInt8]) throws -> PatchCheck {
        let expected = try JSON(parsing: whole)
        var next = self
        switch written {
        case .full: next.tree = expected
        case .patch(let text):
            do {
                try Patch(JSON(parsing: text)).apply(to: &next.tree)
            } catch {
                throw Failure(description: "the patch does not apply: \(error)")
            }
            if let part = Patch.between(next.tree, expected).operations.first {
                throw Failure(description: "the patch does not lead to the state after it, at “\(part.path)”")
            }
        }
        return next
    }
}
