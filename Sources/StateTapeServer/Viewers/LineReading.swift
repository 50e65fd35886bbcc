import Logging
import TapeArchive
import TapeEngine
import TapeFormat
import TapeSockets

/// Reads the lines that other servers have committed, for this server's viewers.
struct LineReading: LineSource {
    let archive: any SessionCatalogue & TapeStore
    let tapes: Tapes
    let workers: Workers
    let loop: EventLoop
    /// When lines are read again that could not be read.
    let retry: Duration
    let logger: Logger

    /// Bytes of a session's lines that are read at once.
    private static let maxBytes = 256 << 10

    func read(_ places: [String: Int], then: @escaping ([String: FanOut.Found?]) -> Void) {
        let back = loop.back(then)
        workers.run {
            let found = lines(at: places)
            if found.values.allSatisfy({ $0 != nil }) { return back(found) }
            // The database may be away for a while.
            loop.schedule(after: retry) { back(found) }
        }
    }

    /// - Returns: For each session what was found from its seq on; nil if it can't be read.
    private func lines(at places: [String: Int]) -> [String: FanOut.Found?] {
        do {
            // Most sessions have a few new lines, which one statement reads for all of them.
            let fresh = try archive.fresh(places, bytes: Self.maxBytes)
            var all: [String: FanOut.Found?] = [:]
            for (session, seq) in places {
                all.updateValue(try fresh[session].map(found) ?? sealed(session, seq), forKey: session)
            }
            return all
        } catch  where Damage.isMeant(by: error) {
            // One by one, so that the damage of one session hides no other's lines.
            return places.reduce(into: [:]) { all, place in
                all.updateValue(try? sealed(place.key, place.value), forKey: place.key)
            }
        } catch {
            logger.error("Watched sessions can't be read: \(error)")
            return places.mapValues { _ in nil }
        }
    }

    private func found(_ fresh: FreshLines) throws -> FanOut.Found {
        var lines: [EventLine] = []
        for batch in fresh.batches { lines += try batch.lines }
        return FanOut.Found(lines: lines[...], hasMore: fresh.hasMore)
    }

    /// Lines that are sealed already, or can't be read and are replaced by a gap.
    private func sealed(_ id: String, _ seq: Int) throws -> FanOut.Found {
        guard let session = try archive.session(id) else { return FanOut.Found() }
        var lines: ArraySlice<EventLine>?
        do { lines = try tapes[session].lines(from: seq) } catch is DeletedSession {}
        guard let lines, !lines.isEmpty else { return FanOut.Found() }
        return FanOut.Found(lines: lines, hasMore: true)
    }
}
