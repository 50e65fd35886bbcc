package import Foundation
package import TapeFormat

/// An opened tape file: plain, gzipped, or a Redux DevTools export.
///
/// Opening reads the file once, checks the order of its events, copies its lines to a temporary file and stores their
/// offsets. Lines are read again on demand.
package final class OpenedTape: TapeSource {
    /// Why the file can't be opened.
    package struct Failure: Error, CustomStringConvertible {
        package enum Kind: Sendable {
            /// The file is of another kind; `reason` continues its name.
            case foreign
            /// Another tape begins in the line.
            case secondTape
            case other
        }

        package let kind: Kind
        /// The line number, from 1; nil if the failure concerns no line.
        package let line: Int?
        package let reason: String

        init(_ kind: Kind = .other, line: Int?, reason: String) {
            (self.kind, self.line, self.reason) = (kind, line, reason)
        }

        package var description: String {
            kind == .foreign ? "The file \(reason)" : line.map { "line \($0): \(reason)" } ?? reason
        }
    }

    /// The memory for parsed lines, in bytes.
    private static let maxCost = 32 << 20

    package let key: Int64
    package let header: Header
    package let seqs: Range<Int>
    /// The number of the line in which the file is cut off; all lines before it are complete.
    package let cutLine: Int?
    /// The `at` of the last event, in ms.
    package let duration: Double
    private let lines: LineStore
    private let index: TapeIndex
    /// The broken patches found so far, by store, in order.
    private let broken = Locked<[UTF8Text: [StateBase]]>([:])
    /// A cache of parsed batches, the most recently used last.
    private let parsed = Locked<[(first: Int, lines: [EventLine], cost: Int)]>([])

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - key: Identifies the tape among those that share a ``States``.
    ///   - sessionID: Makes the session id for a file without one, from its content.
    ///   - progress: Called regularly with the number of bytes read.
    /// - Throws: ``Failure``; errors of reading the file.
    package init(
        _ file: FileHandle, key: Int64 = 0, sessionID: @escaping ([UInt8]) -> String,
        progress: (Int) throws -> Void = { _ in }
    ) throws {
        var parser = TapeParser(sessionID: sessionID)
        var header: Header?
        var index = TapeIndex()
        let lines = try LineStore()
        func take(_ part: TapeParser.Part) throws {
            switch part {
            case .header(let found):
                header = found
                index = TapeIndex(found)
            case .line(let line):
                try index.take(line)
                try lines.append(line.bytes)
            }
        }
        let isCut: Bool
        var isWhole = false
        var count = 0
        // JSON of another kind has an error of its own.
        var isJSON = false
        do {
            while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
                if count == 0 { isJSON = piece.first { !" \t\r\n".utf8.contains($0) }.map("{[".utf8.contains) ?? false }
                count += piece.count
                try parser.take([UInt8](piece), take)
                try progress(count)
            }
            isWhole = true
            isCut = try parser.end(take)
        } catch let error as FormatError {
            guard header != nil || !isWhole else {
                throw Self.foreign(isEmpty: count == 0, because: isJSON ? "\(error)" : nil)
            }
            throw Failure(line: parser.line, reason: "\(error)")
        } catch let error as TapeParser.SecondTape {
            throw Failure(.secondTape, line: parser.line, reason: "\(error)")
        } catch let error as TooLarge {
            throw Failure(line: nil, reason: error.description)
        } catch TapeParser.Foreign.unknown {
            throw Self.foreign(isEmpty: count == 0)
        } catch let error as TapeParser.Foreign {
            throw Failure(line: nil, reason: error.description)
        } catch Gunzip.Failure.broken(let reason) {
            throw Failure(line: parser.line, reason: "the gzip file is damaged: \(reason)")
        }
        guard let header else { throw Failure(line: 1, reason: "the file has no header") }
        self.key = key
        self.header = header
        self.index = index
        self.lines = lines
        seqs = index.seqs
        duration = index.duration
        cutLine = isCut ? parser.line : nil
    }

    /// - Parameter reason: Why the file isn't JSON; nil if it isn't meant to be.
    private static func foreign(isEmpty: Bool, because reason: String? = nil) -> Failure {
        let place = isEmpty ? "it is empty" : reason ?? "line 1 is not a tape's header"
        return Failure(.foreign, line: nil, reason: "\(TapeParser.Foreign.problem): \(place).")
    }

    package func batch(at seq: Int) throws -> LineBatch? {
        try index.block(at: seq).map { try batch($0) }
    }

    private func batch(_ block: TapeIndex.Block) throws -> LineBatch {
        let bytes = try lines.read(block.bytes)
        return LineBatch(first: block.seqs.lowerBound, next: block.seqs.upperBound, bytes: bytes, isChecked: true)
    }

    package func lines(from seq: Int) throws -> ArraySlice<EventLine>? {
        guard let block = index.block(at: seq) else { return nil }
        let lines = try cached(block.seqs.lowerBound) ?? cache(batch(block).lines)
        return lines[(lines.firstIndex { $0.seq >= seq } ?? lines.endIndex)...]
    }

    private func cached(_ first: Int) -> [EventLine]? {
        parsed.withLock { parsed in
            guard let place = parsed.lastIndex(where: { $0.first == first }) else { return nil }
            parsed.append(parsed.remove(at: place))
            return parsed.last?.lines
        }
    }

    private func cache(_ lines: [EventLine]) -> [EventLine] {
        parsed.withLock { parsed in
            parsed.append((lines.first?.first ?? 0, lines, lines.reduce(0) { $0 + $1.memory }))
            var cost = parsed.reduce(0) { $0 + $1.cost }
            while parsed.count > 1, cost > Self.maxCost { cost -= parsed.removeFirst().cost }
        }
        return lines
    }

    package func base(of store: String?, upTo seq: Int) -> StateBase? {
        let base = index.base(of: store, upTo: seq)
        guard let store else { return base }
        let mark = broken.withLock { $0[UTF8Text(store)]?.last(upTo: seq) }
        return [base, mark].compactMap { $0 }.max { $0.seq < $1.seq }
    }

    package func markBroken(_ patch: BrokenPatch) {
        let mark = StateBase(seq: patch.seq, kind: .broken)
        broken.withLock { broken in
            var marks = broken.removeValue(forKey: UTF8Text(patch.store)) ?? []
            marks.insert(mark, at: marks.firstPlace { $0.seq > mark.seq })
            broken[UTF8Text(patch.store)] = marks
        }
    }

    package func keyframe(of store: String, at seq: Int) -> HeldState? {
        header.states?[store].map(HeldState.value)
    }

    package func nextState(of store: String, after seq: Int) -> Int? { index.nextState(of: store, after: seq) }

    package func stores(upTo seq: Int) -> [String] { index.stores(upTo: seq) }

    package func keyframes(in range: Range<Int>) -> [(store: String, seq: Int)] {
        guard range.contains(seqs.lowerBound - 1) else { return [] }
        return (header.states ?? [:]).keys.sorted().map { ($0, seqs.lowerBound - 1) }
    }
}
