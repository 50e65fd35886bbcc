package import TapeFormat

/// What was asked for takes more than a limit allows.
package struct TooLarge: Error, CustomStringConvertible {
    package let description: String
    /// What a caller may want to know beside it.
    package let members: [(String, JSON)]

    init(_ description: String, _ members: [(String, JSON)] = []) {
        self.description = description
        self.members = members
    }
}
