@testable import StateCapture
@testable import StateTape

extension DirectEncoder {
    /// With the recorder's default redaction.
    convenience init() {
        self.init(.standard)
    }
}
