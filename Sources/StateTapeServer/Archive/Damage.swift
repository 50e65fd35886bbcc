#if Server
    import GRDB
    import TapeFormat

    /// Lines of a tape that the archive holds and can't read.
    struct Damage: Error, CustomStringConvertible {
        /// The seqs that they cover.
        let covers: Range<Int>
        let reason: String

        var description: String { "events \(covers.lowerBound)–\(covers.upperBound - 1) are damaged: \(reason)" }

        /// Whether an error says that what was read is not what was written; others may pass.
        static func isMeant(by error: any Error) -> Bool {
            switch error {
            case let error as DatabaseError:
                [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH].contains(error.resultCode.primaryResultCode)
            case is Damage, is Zstd.Failure, is FormatError, is HeadColumns.Failure, is RowDecodingError: true
            default: false
            }
        }
    }

    extension EventLine {
        /// The reason of such a gap.
        static let damaged = "damaged"

        /// What is told in place of damaged lines: a gap that names them.
        static func damaged(_ covers: Range<Int>, at: Double) -> EventLine {
            EventLine(
                seq: covers.upperBound - 1, at: at, kind: .gap, count: covers.count,
                members: [("reason", .string(damaged))])
        }
    }
#endif
