import Foundation
import TapeFormat

/// An error message for standard error; the command exits with code 1.
struct Failure: Error, CustomStringConvertible {
    let description: String
    /// What to do, as a sentence, for the commands that print it; empty if the message says so itself.
    let remedy: String?
    /// The code of the server's answer, such as `session-absent`.
    let code: String?

    init(_ description: String, remedy: String? = nil, code: String? = nil) {
        self.description = description
        self.remedy = remedy
        self.code = code
    }
}

extension String {
    /// With a capital letter and a full stop.
    var sentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}

extension Error {
    /// Short for the commands.
    var reason: String { systemReason }
}
