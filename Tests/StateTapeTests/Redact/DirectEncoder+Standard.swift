@testable import StateTape

extension DirectEncoder {
    /// With the redaction that a recorder has if it is told nothing.
    convenience init() {
        self.init(.standard)
    }
}
