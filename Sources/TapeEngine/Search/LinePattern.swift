/// A regular expression that finds lines. The engine has none of its own: a caller that wants them brings one.
package protocol LinePattern: Sendable {
    /// - Parameter line: Valid UTF-8.
    /// - Throws: What says that the line takes too long; ``SearchLimit/Cancelled`` when nobody waits any more.
    func isFound(in line: ArraySlice<UInt8>, _ limit: SearchLimit) throws -> Bool
}
