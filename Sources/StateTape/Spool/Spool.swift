import Foundation
import TapeFormat

/// The living session's events on the disk, until the server has them: written through as they are numbered, so that they
/// outlive the process. On the recorder's thread.
///
/// Lines lie in segments. One that is wholly acknowledged is deleted, and at the bound the oldest gives way whole.
final class Spool {
    private let folder: SessionFolder
    private let failed: (String) -> Void
    /// Those that have ended, the oldest first, with their last line's seq.
    private var ended: [(number: Int, last: Int)] = []
    private var current: (file: OpenFile, number: Int, size: Int, last: Int)?
    private var nextNumber = 0
    private var isWriting = true

    /// - Parameter failed: Told once why nothing more can be written.
    init(_ folder: SessionFolder, failed: @escaping (String) -> Void) {
        self.folder = folder
        self.failed = failed
    }

    /// Writes the next line.
    ///
    /// - Parameter ticket: Of the action that it tells; 0 for none.
    func append(_ line: EventLine, ticket: UInt64 = 0) {
        append(.line, line, ticket: ticket)
        current?.last = line.seq
    }

    /// The next line begins a segment.
    func cut() {
        guard let current else { return }
        ended.append((current.number, current.last))
        self.current = nil
    }

    /// The segments up to the end of a gap have been given up for it.
    func give(up gap: EventLine) {
        // First, so that there is never a time without the lines and without what stands for them.
        append(.gap, gap)
        release(below: gap.seq + 1)
    }

    /// The server has everything below `seq`. The segment that is written to stays: it tells how far the session came.
    func release(below seq: Int) {
        while let first = ended.first, first.last < seq, current != nil || ended.count > 1 {
            guard isWriting else { return }
            guard folder.isInPlace else { return fail(Self.replaced(folder)) }
            unlink(folder.segment(first.number).path)
            ended.removeFirst()
        }
    }

    /// Goes on for a session of another name.
    func rename(to sessionIdentity: LinkState.SessionIdentity) {
        do {
            try folder.rename(to: sessionIdentity)
        } catch {
            fail(error)
        }
    }

    /// Deletes everything: the session has ended, and the server has all of it.
    func remove() {
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
                // What was written of it would be taken for damage.
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
