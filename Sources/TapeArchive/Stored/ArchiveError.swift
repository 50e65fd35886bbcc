/// An error of an engine.
package protocol ArchiveError: Error {
    /// What happened, without the statement.
    var reason: String { get }
    /// Whether the stored data is damaged. Otherwise the failure may be temporary.
    var isDamage: Bool { get }
    /// Why the archive can't be used at the moment; nil if that isn't the cause.
    var outage: String? { get }
}

extension ArchiveError {
    package var outage: String? { nil }
}
