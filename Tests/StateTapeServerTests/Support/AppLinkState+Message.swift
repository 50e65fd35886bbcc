import TapeFormat

@testable import StateTapeServer

extension AppLinkState {
    /// Does what `AppLink` does with a message: whole lines, perhaps compressed.
    mutating func received(_ message: [UInt8]) -> [Action] {
        do throws(Refusal) {
            return take(try unpack(message).lines)
        } catch {
            return error.actions
        }
    }
}
