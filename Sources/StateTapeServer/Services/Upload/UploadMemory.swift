import Foundation
import TapeFormat

/// The memory that all uploads share, for incomplete lines and files.
final class UploadMemory: Sendable {
    /// One upload's part of the memory, until this object is released.
    final class Share: Sendable {
        private let room: UploadMemory
        private let held = Locked((now: 0, most: 0))

        fileprivate init(_ room: UploadMemory) {
            self.room = room
        }

        deinit {
            let (now, most) = held.withLock { $0 }
            room.held.withLock { $0 -= now }
            if most >= FreedMemory.large { FreedMemory.giveBackSoon() }
        }

        /// Sets how many bytes this upload uses now. One alone may have a line of any length.
        ///
        /// - Throws: ``Problem`` 503 if all uploads together use too much.
        func hold(_ bytes: Int) throws(Problem) {
            let more = held.withLock { held in
                defer { held = (bytes, max(held.most, bytes)) }
                return bytes - held.now
            }
            guard more != 0 else { return }
            let isTooMuch = room.held.withLock { held in
                held += more
                return more > 0 && held > UploadMemory.size && held > bytes
            }
            if isTooMuch {
                throw Problem(
                    503, "busy", "Other uploads use all the memory for uploads; try again later.")
            }
        }
    }

    static let size = 192 << 20

    private let held = Locked(0)
    /// Files in other formats are parsed as a whole, one at a time: parsing takes many times the memory of the file.
    private let reading = Locked(())

    /// Bytes in use now.
    var bytes: Int { held.withLock { $0 } }

    func share() -> Share { Share(self) }

    /// Runs `body` while no other upload runs one.
    func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        try reading.withLock { _ in try body() }
    }
}
