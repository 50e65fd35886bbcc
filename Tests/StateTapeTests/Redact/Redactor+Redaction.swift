@testable import StateCapture
@testable import StateTape

extension Redactor {
    convenience init(_ redaction: Redaction) {
        self.init(redaction.rules)
    }
}
