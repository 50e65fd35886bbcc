package import TapeFormat

/// Lines of a tape that are stored but can't be read.
package struct Damage: Error, CustomStringConvertible {
    /// The seqs of the lines.
    package let covers: Range<Int>
    package let reason: String

    package var description: String { "events \(covers.lowerBound)–\(covers.upperBound - 1) are damaged: \(reason)" }

    /// Whether an error means that the stored data is damaged. Other errors may be temporary.
    package static func isMeant(by error: any Error) -> Bool {
        switch error {
        case let error as any ArchiveError: error.isDamage
        case is Damage, is Zstd.Failure, is FormatError, is HeadColumns.Failure: true
        default: false
        }
    }

    /// What an error says to a person.
    package static func reason(_ error: any Error) -> String { (error as? any ArchiveError)?.reason ?? "\(error)" }
}

extension EventLine {
    /// The `reason` of a gap that stands for damaged lines.
    package static let damaged = "damaged"

    /// The gap that readers get in place of damaged lines.
    package static func damaged(_ covers: Range<Int>, at: Double) -> EventLine {
        EventLine(
            seq: covers.upperBound - 1, at: at, kind: .gap, count: covers.count,
            members: [("reason", .string(damaged))])
    }
}
