/// A regular expression that matches lines. Callers provide the implementation, because the engine has none.
package protocol LinePattern: Sendable {
    /// - Parameter line: Valid UTF-8.
    /// - Throws: An error if the line takes too long; ``SearchLimit/Cancelled`` if the client has gone.
    func isFound(in line: ArraySlice<UInt8>, _ limit: SearchLimit) throws -> Bool
}
