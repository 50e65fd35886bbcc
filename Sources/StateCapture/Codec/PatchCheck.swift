import TapeFormat

/// Applies each written state as a reader of the tape would, and compares the result with the state encoded in full.
package struct PatchCheck {
    /// A patch that doesn't produce the next state.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The state according to the tape.
    private var tree: JSON = .null

    /// The reader's state after the next event.
    ///
    /// - Parameter whole: The state's full JSON text.
    /// - Throws: ``Failure`` with the place of the first difference.
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
