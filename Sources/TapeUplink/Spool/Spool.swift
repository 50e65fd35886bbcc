import Foundation
package import TapeFormat

/// The running session's events on disk, until the server has them. Each event is written when it gets its number, so
/// that it outlives the process. Used on the recorder's thread.
///
/// Lines form segments. A segment that the server has acknowledged is deleted. At the bound, the oldest segment is
/// dropped.
package final class Spool {
    private let folder: SessionFolder
    private let failed: (String) -> Void
    /// The segments that have ended, the oldest first, with the seq of their last line.
    private var ended: [(number: Int, last: Int)] = []
    private var current: (file: OpenFile, number: Int, size: Int, last: Int)?
    private var nextNumber = 0
    /// False once nothing more can be written.
    package private(set) var isWriting = true

    /// - Parameter failed: Receives the reason, once, when the spool can't write any more.
    package init(_ folder: SessionFolder, failed: @escaping (String) -> Void) {
        self.folder = folder
        self.failed = failed
    }

    /// Writes the next line.
    ///
    /// - Parameter ticket: The ticket of the line's action; 0 without one.
    package func append(_ line: EventLine, ticket: UInt64 = 0) {
        append(.line, line, ticket: ticket)
        current?.last = line.seq
    }

    /// Ends the segment; the next line starts a new one.
    package func cut() {
        guard let current else { return }
        ended.append((current.number, current.last))
        self.current = nil
    }

    /// Writes the next line, and ends the segment once it is as long as a limit.
    package func append(_ line: EventLine, cutsAt limit: Int) {
        append(line)
        if let current, current.size >= limit { cut() }
    }

    /// Drops the segments up to the end of a gap, which replaces them.
    ///
    /// - Parameter fromNewSegment: Whether the gap also replaces the open segment.
    package func give(up gap: EventLine, fromNewSegment: Bool = false) {
        if fromNewSegment { cut() }
        // Write the gap first, so that the disk always has the lines or the gap.
        append(.gap, gap)
        release(below: gap.seq + 1)
    }

    /// Deletes the segments below `seq`, which the server has. The open segment stays: it shows how far the session
    /// went.
    package func release(below seq: Int) {
        while let first = ended.first, first.last < seq, current != nil || ended.count > 1 {
            guard isWriting else { return }
            guard folder.isInPlace else { return fail(Self.replaced(folder)) }
            unlink(folder.segment(first.number).path)
            ended.removeFirst()
        }
    }

    /// Notes the session's new name, or the server that it is recorded for.
    package func identify(as sessionIdentity: LinkState.SessionIdentity) {
        guard isWriting else { return }
        do {
            try folder.identify(as: sessionIdentity)
        } catch {
            fail(error)
        }
    }

    /// Has the system write the folder and the session's name to the disk, in the background. After a power failure, the
    /// events could not be delivered without them.
    package func sync() { folder.sync() }

    /// Deletes everything: the session has ended, and the server has all of it.
    package func remove() {
        isWriting = false
        current = nil
        folder.remove()
    }

    private func append(_ kind: SpoolRecord.Kind, _ line: EventLine, ticket: UInt64 = 0) {
        guard isWriting else { return }
        do {
            var segment = try current ?? begin()
            do {
                let bytes = SpoolRecord.bytes(kind, ticket: ticket, line.bytes)
                try segment.file.write(bytes)
                segment.size += bytes.count
                current = segment
            } catch {
                // A partial record would look like damage.
                try? segment.file.truncate(to: segment.size)
                throw error
            }
        } catch {
            fail(error)
        }
    }

    private func begin() throws -> (file: OpenFile, number: Int, size: Int, last: Int) {
        guard folder.isInPlace else { throw Self.replaced(folder) }
        let file = try OpenFile(folder.segment(nextNumber), O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
        try file.write(Segment.signature)
        defer { nextNumber += 1 }
        return (file, nextNumber, Segment.signature.count, -1)
    }

    private static func replaced(_ folder: SessionFolder) -> FileFailure {
        FileFailure(folder.place, "somebody has deleted or replaced the folder")
    }

    private func fail(_ error: any Error) {
        isWriting = false
        failed(String(describing: error))
    }
}
