package import TapeFormat

/// A request exceeds a limit.
package struct TooLarge: Error, CustomStringConvertible {
    package let description: String
    /// Further members for the error's JSON.
    package let members: [(String, JSON)]

    init(_ description: String, _ members: [(String, JSON)] = []) {
        self.description = description
        self.members = members
    }
}
