package import DispatchContext
package import Foundation
import TapeFormat

/// The actions that are being reduced or wait for their lines. They are in a memory-mapped file, which outlives the
/// process: the action that crashed it is among them.
///
/// The file is a table of places: many for short actions and a few for long ones. No caller ever waits for a free one.
// Unchecked: only its holder touches a place's memory, and the lock guards the rest.
package final class PendingActions: @unchecked Sendable {
    /// The place of an action, until it is freed.
    package struct Place {
        fileprivate let index: Int
        fileprivate let memory: UnsafeMutableRawPointer
        /// Identifies the action's line in a segment; from 1 on.
        package let ticket: UInt64
    }

    /// An action that was found after the death of its process.
    struct Left {
        let ticket: UInt64
        let store: String
        let at: Duration
        /// The call site, as `Module/File.swift:41`.
        let caller: String?
        /// Type and payload; the type alone if the payload was too long.
        let action: JSON
        /// Whether its reducer had returned.
        let isReduced: Bool
        /// The text of the error that the reducer threw.
        let error: String?
        /// The record as it was read.
        let record: [UInt8]
    }

    static let shortSize = 512
    static let shortCount = 1_024
    static let longSize = 64 << 10
    static let longCount = 8
    /// The longest payload of a record.
    package static let longest = longSize - SpoolRecord.headSize
    static let size = shortSize * shortCount + longSize * longCount
    /// The file's last bytes. Where they are missing, a power failure may have emptied the file.
    private static let seal = Array("STPEND1\n".utf8)
    static let fileSize = size + seal.count

    private struct State {
        var memory: UnsafeMutableRawPointer?
        var isOpen = false
        var ticket: UInt64 = 0
        // The place that was freed last is taken first, since it is in the cache.
        var short = Array((0..<shortCount).reversed())
        var long = Array((shortCount..<shortCount + longCount).reversed())
    }

    private let state = Locked(State())

    package init() {}

    deinit {
        if let memory = state.withLock({ $0.memory }) { munmap(memory, Self.fileSize) }
    }

    /// Starts to keep actions in a new file, once.
    package func open(_ place: URL) throws(FileFailure) {
        let memory = try OpenFile(place, O_RDWR | O_CREAT | O_EXCL).mapped(Self.fileSize)
        (memory + Self.size).copyMemory(from: Self.seal, byteCount: Self.seal.count)
        state.withLockUnchecked { state in
            state.memory = memory
            state.isOpen = true
        }
    }

    /// Stops keeping actions. The memory stays mapped, since a thread may be writing to it.
    package func close() {
        state.withLock { $0.isOpen = false }
    }

    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Writes an action, from any thread.
    ///
    /// - Parameter payload: The bytes of ``begin(store:at:caller:_:)``, then the action.
    /// - Returns: Nil if there is no place for it.
    package func put(_ payload: UnsafeRawBufferPointer) -> Place? { put(payload, ticket: nil) }

    /// - Parameter ticket: The action's, if it has a place already.
    private func put(_ payload: UnsafeRawBufferPointer, ticket: UInt64?) -> Place? {
        let size = payload.count + SpoolRecord.headSize
        guard payload.count <= Self.longest else { return nil }
        let place = state.withLock { state -> Place? in
            guard state.isOpen, let memory = state.memory,
                let index = (size <= Self.shortSize ? state.short.popLast() : nil) ?? state.long.popLast()
            else { return nil }
            if ticket == nil { state.ticket += 1 }
            return Place(index: index, memory: memory + Self.offset(of: index), ticket: ticket ?? state.ticket)
        }
        guard let place else { return nil }
        SpoolRecord.write(.action, ticket: place.ticket, payload, to: place.memory)
        return place
    }

    /// Notes that the action's reducer has returned.
    package func reduced(_ place: Place) {
        SpoolRecord.mark(place.memory)
    }

    /// Adds the error of the action's reducer: an app may die of it at once.
    ///
    /// - Returns: The place that the action has now; the same one if there is no larger one.
    package func failed(_ place: Place, _ error: String) -> Place {
        let record = UnsafeRawBufferPointer(start: place.memory, count: Self.capacity(of: place.index))
        guard let payload = SpoolRecord(in: record, at: 0)?.payload else { return place }
        // No JSON text holds a line break.
        let added = Array(record[payload]) + [UInt8(ascii: "\n")] + JSON.string(error).bytes
        guard let new = added.withUnsafeBytes({ put($0, ticket: place.ticket) }) else { return place }
        reduced(new)
        free(place)
        return new
    }

    /// Frees the place, because the action's line is kept elsewhere, or never will be.
    package func free(_ place: Place) {
        SpoolRecord.erase(place.memory)
        state.withLock { state in
            if place.index < Self.shortCount { state.short.append(place.index) } else { state.long.append(place.index) }
        }
    }

    private static func capacity(of index: Int) -> Int { index < shortCount ? shortSize : longSize }

    private static func offset(of index: Int) -> Int {
        index < shortCount ? index * shortSize : shortCount * shortSize + (index - shortCount) * longSize
    }
}

// MARK: The payload

extension PendingActions {
    /// Appends the part before an action's type and payload, which follow as JSON text.
    package static func begin(
        store: String, at: Duration, caller: CallSite?, _ append: (UnsafeRawBufferPointer) -> Void
    ) {
        let (seconds, attoseconds) = at.components
        var store = store
        store.withUTF8 { store in
            let time = UInt64(bitPattern: seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
            let line = UInt64(truncatingIfNeeded: caller.map { Int($0.line) } ?? 0)
            let head = (
                time.littleEndian, line.littleEndian, UInt64(store.count).littleEndian,
                UInt64(caller?.fileID.utf8CodeUnitCount ?? 0).littleEndian
            )
            withUnsafeBytes(of: head, append)
            append(UnsafeRawBufferPointer(store))
        }
        caller?.fileID.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
    }

    /// Whether a file has all that was written to it: the table with its last bytes (older versions wrote none), or
    /// nothing but whole records.
    static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.count >= size { return bytes.count == size || bytes[size...].elementsEqual(seal) }
        var offset = 0
        while offset < bytes.count, let record = SpoolRecord(in: bytes, at: offset) { offset = record.range.upperBound }
        return offset == bytes.count && offset > 0
    }

    /// The actions in a file, in the order of their dispatches.
    static func left(in bytes: UnsafeRawBufferPointer) -> [Left] {
        var found: [Left] = []
        var offset = 0
        while let record = SpoolRecord.next(in: bytes, from: offset) {
            offset = record.range.upperBound
            guard record.kind == .action, let left = Left(record, in: bytes) else { continue }
            found.append(left)
        }
        // The process may have died between the two places of an action with an error.
        let byTicket = Dictionary(found.map { ($0.ticket, $0) }, uniquingKeysWith: { $0.error == nil ? $1 : $0 })
        return byTicket.values.sorted { $0.ticket < $1.ticket }
    }
}

extension PendingActions.Left {
    fileprivate init?(_ spooled: SpoolRecord, in bytes: UnsafeRawBufferPointer) {
        let payload = UnsafeRawBufferPointer(rebasing: bytes[spooled.payload])
        guard payload.count >= 32 else { return nil }
        func number(_ index: Int) -> UInt64 {
            UInt64(littleEndian: payload.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        guard let storeSize = Int(exactly: number(2)), let fileSize = Int(exactly: number(3)),
            storeSize <= payload.count - 32, fileSize <= payload.count - 32 - storeSize
        else { return nil }
        let (storeEnd, fileEnd) = (32 + storeSize, 32 + storeSize + fileSize)
        let parts = payload[fileEnd...].split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        guard let record = parts.first, let action = try? JSON(parsing: record) else { return nil }
        ticket = spooled.ticket
        store = String(decoding: payload[32..<storeEnd], as: UTF8.self)
        at = .nanoseconds(Int64(bitPattern: number(0)))
        let file = String(decoding: payload[storeEnd..<fileEnd], as: UTF8.self)
        caller = file.isEmpty ? nil : "\(file):\(number(1))"
        self.action = action
        isReduced = spooled.isMarked
        error = parts.count == 1 ? nil : (try? JSON(parsing: parts[1]))?.string
        self.record = Array(bytes[spooled.range])
    }
}
