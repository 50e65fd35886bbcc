import Foundation
import TapeFormat

/// Reads the tape of a session that was not ended, segment by segment and without holes. A `gap` replaces unreadable
/// lines.
struct OrphanedTape {
    let folder: SessionFolder
    private var numbers: [Int]
    /// Whether the session had any event.
    private let hadLines: Bool
    /// The seq of the next line; nil before the first.
    private var next: Int?
    private var last: EventLine?
    private var tickets: Set<UInt64> = []
    /// The files that could not be read whole.
    private(set) var damaged: [URL] = []
    /// How many events gaps replace, since they could not be read.
    private(set) var lost = 0
    /// Whether actions that had no line yet may be missing.
    private(set) var lacksPending = false
    /// What is missing, as the end of a sentence; nil if nothing is.
    var loss: String? {
        let parts = [
            lost > 0 ? "\(lost) of its events can't be read" : nil,
            last == nil && hadLines ? "none of its events can be read" : nil,
            lacksPending ? "its last actions may be missing" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", and ")
    }

    init(_ folder: SessionFolder) {
        self.folder = folder
        numbers = folder.segments
        hadLines = !numbers.isEmpty
        // Nobody has the first lines of a session that no server has welcomed.
        if let server = folder.identity?.server, server.address != nil, !server.isWelcomed { next = server.first }
    }

    /// Whether the app ended the session itself.
    var isEnded: Bool { last?.kind == .end }
    /// When the last line was written, in milliseconds since the session started.
    var lastTime: Double { last?.at.double ?? 0 }

    /// The lines of the next segment that has any; nil after the last.
    mutating func nextLines() -> [EventLine]? {
        while !numbers.isEmpty {
            let lines = lines(numbers.removeFirst())
            if !lines.isEmpty { return lines }
        }
        return nil
    }

    private mutating func lines(_ number: Int) -> [EventLine] {
        let file = folder.segment(number)
        let contents = (try? Segment.read(file)) ?? Segment.Contents(isDamaged: true)
        // A torn end of the last segment was being written when the process died; anywhere else it is damage.
        if contents.isDamaged || contents.isTorn && !numbers.isEmpty { damaged.append(file) }
        tickets.formUnion(contents.tickets)
        var lines: [EventLine] = []
        if last == nil, let gap = contents.gap ?? laterGap(), let first = contents.lines.first,
            gap.seq + 1 == first.first
        {
            lines.append(gap)
            next = gap.seq + 1
        }
        for line in contents.lines where line.first >= next ?? 0 {
            if let next, line.first > next {
                lines.append(Outbox.gap(from: next, through: line.first - 1, at: line.at.double, .damaged))
                lost += line.first - next
            }
            lines.append(line)
            next = line.seq + 1
        }
        last = contents.lines.last ?? last
        return lines
    }

    /// The gap for segments dropped before the first one. A later segment has it: the newest one at that time.
    private func laterGap() -> EventLine? {
        numbers.reversed().lazy.compactMap { try? Segment.read(folder.segment($0)).gap }.first
    }

    /// The actions without a line, in the order of their dispatches.
    mutating func pending() -> [PendingActions.Left] {
        do throws(FileFailure) {
            let (left, isWhole) = try Self.pending(folder)
            lacksPending = !isWhole
            return left.filter { !tickets.contains($0.ticket) }
        } catch {
            damaged.append(folder.pending)
            lacksPending = true
            return []
        }
    }

    /// How many actions had lines that can't be read, between the last known action and one that has no line: each action
    /// has a ticket, in order, and a line for it, or a place among the pending ones.
    ///
    /// Called for each action without a line, in order.
    ///
    /// - Parameters:
    ///   - ticket: That of the action without a line.
    ///   - seq: The number that it would have.
    mutating func lose(before ticket: UInt64, at seq: Int) -> Int {
        var count = 0
        if !tickets.contains(ticket &- 1) {
            if let last = tickets.lazy.filter({ $0 < ticket }).max() {
                // The server may have lines that are not on the disk.
                count = Int(clamping: ticket - last) - 1 - max(0, seq - (next ?? seq))
            } else {
                // Each action has a number of its own, and so has the first state.
                count = Int(clamping: ticket) - seq
            }
        }
        // No more than a tape can have: a ticket is what the disk says.
        if !(0..<Limits.seq - seq ~= count) { count = 0 }
        tickets.insert(ticket)
        next = seq + count + 1
        lost += count
        return count
    }

    /// - Returns: The actions, and whether the file has all that was written to it. Without one there are none.
    private static func pending(
        _ folder: SessionFolder
    ) throws(FileFailure) -> (left: [PendingActions.Left], isWhole: Bool) {
        var found = stat()
        if lstat(folder.pending.path, &found) != 0, errno == ENOENT { return ([], true) }
        let bytes = try OpenFile.read(folder.pending)
        return bytes.withUnsafeBytes { (PendingActions.left(in: $0), PendingActions.isWhole($0)) }
    }

    /// Writes the lines that end the session to a segment of their own. If a later launch sends them again, they keep
    /// their numbers.
    func seal(_ lines: [EventLine], tickets: [UInt64]) throws(FileFailure) {
        let file = try OpenFile(folder.segment((folder.segments.last ?? -1) + 1), O_WRONLY | O_CREAT | O_EXCL)
        var bytes = Segment.signature
        for (line, ticket) in zip(lines, tickets) { bytes += SpoolRecord.bytes(.line, ticket: ticket, line.bytes) }
        try file.write(bytes)
        if !damaged.contains(folder.pending) { unlink(folder.pending.path) }
    }
}

// MARK: Freeing space

extension OrphanedTape {
    /// Shrinks the file of pending actions to the actions that it holds.
    static func compact(_ folder: SessionFolder) {
        guard SessionFolder.size(of: folder.pending) >= PendingActions.size,
            let (left, isWhole) = try? pending(folder), isWhole
        else { return }
        let new = folder.place.appendingPathComponent("pending.new")
        unlink(new.path)
        guard !left.isEmpty else {
            _ = unlink(folder.pending.path)
            return
        }
        guard let file = try? OpenFile(new, O_WRONLY | O_CREAT | O_EXCL),
            (try? file.write(left.flatMap(\.record))) != nil
        else { return }
        _ = rename(new.path, folder.pending.path)
    }

    /// Drops the oldest segments, all of them if necessary.
    ///
    /// - Parameter keepsLast: Keeps the newest segment, even if its states alone are larger than the limit.
    /// - Returns: The remaining bytes.
    static func shrink(
        _ folder: SessionFolder, to limit: Int, keepsLast: Bool = false, log: (String) -> Void
    ) -> Int {
        let name = folder.place.lastPathComponent
        var numbers = folder.segments
        while folder.size > limit, let newest = numbers.last, numbers.count > 1 {
            let oldest = folder.segment(numbers.removeFirst())
            giveUp(oldest, before: folder.segment(numbers[0]), toldIn: folder.segment(newest))
            unlink(oldest.path)
            log("The oldest events of session \(name) were dropped: too many wait for the server.")
        }
        guard folder.size > limit, !keepsLast else { return folder.size }
        folder.remove()
        log("Session \(name) was dropped before the server had it: too many events wait for the server.")
        return folder.size
    }

    /// Writes the gap for the oldest segment to the newest one.
    private static func giveUp(_ oldest: URL, before next: URL, toldIn newest: URL) {
        guard let first = (try? Segment.read(oldest))?.lines.first,
            let following = (try? Segment.read(next))?.lines.first,
            first.first < following.first, let told = try? Segment.read(newest),
            let file = try? OpenFile(newest, O_WRONLY | O_APPEND)
        else { return }
        // One gap covers all segments dropped so far.
        let start = told.gap.map { $0.seq + 1 == first.first ? $0.first : first.first } ?? first.first
        let gap = Outbox.gap(from: start, through: following.first - 1, at: following.at.double, .memory)
        if told.isTorn { try? file.truncate(to: told.size) }
        try? file.write(SpoolRecord.bytes(.gap, gap.bytes))
    }
}
