package import TapeEngine
import TapeFormat

/// Reads event heads from the archive, one chunk at a time: from columns if sealed, else from the lines.
package final class HeadReader: Sendable {
    private let archive: any TapeStore
    private let tape: TapeReader
    /// Names by session, the most recently used last. Numbers are never reused, so cached names stay valid.
    private let names = Locked<[(session: Int64, names: [String], bytes: Int)]>([])
    private static let maxSessions = 64
    private static let maxBytes = 16 << 20

    package init(_ archive: any TapeStore, _ tape: TapeReader) {
        self.archive = archive
        self.tape = tape
    }

    /// The heads from the event with `seq` to the end of its chunk or batch; nil past the end of the tape.
    package func heads(of session: Int64, from seq: Int) throws -> ArraySlice<EventHead>? {
        do {
            if let heads = try sealed(of: session, from: seq), heads.first.map({ $0.first <= seq }) ?? false {
                return heads
            }
        } catch  where Damage.isMeant(by: error) {
            // The lines have the same information.
        }
        return try tape.lines(of: session, from: seq)?.map { EventHead($0) }[...]
    }

    /// The heads as stored apart from the lines; nil if none cover the seq.
    package func sealed(of session: Int64, from seq: Int) throws -> ArraySlice<EventHead>? {
        guard let columns = try archive.columns(of: session, at: seq) else { return nil }
        let heads: [EventHead]
        do {
            heads = try HeadColumns.decode(columns, names: names(of: session))
        } catch {
            // Some names may be newer than the cached ones.
            heads = try HeadColumns.decode(columns, names: newNames(of: session))
        }
        return heads[(heads.firstIndex { $0.seq >= seq } ?? heads.endIndex)...]
    }

    private func names(of session: Int64) -> [String] {
        names.withLock { $0.last { $0.session == session }?.names ?? [] }
    }

    private func newNames(of session: Int64) throws -> [String] {
        let all = try archive.names(of: session, from: 0)
        names.withLock { names in
            names.removeAll { $0.session == session }
            names.append((session, all, all.reduce(0) { $0 + $1.utf8.count + 32 }))
            var bytes = names.reduce(0) { $0 + $1.bytes }
            while names.count > 1, names.count > Self.maxSessions || bytes > Self.maxBytes {
                bytes -= names.removeFirst().bytes
            }
        }
        return all
    }
}
