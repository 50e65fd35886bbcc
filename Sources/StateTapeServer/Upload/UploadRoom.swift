#if Server
    import Foundation
    import Synchronization

    /// The memory of all uploads for what can't be passed on yet: lines and files that have no end so far.
    final class UploadRoom: Sendable {
        /// What one upload holds of it, until this value goes.
        final class Share: Sendable {
            private let room: UploadRoom
            private let held = Mutex((now: 0, most: 0))

            fileprivate init(_ room: UploadRoom) {
                self.room = room
            }

            deinit {
                let (now, most) = held.withLock { $0 }
                room.held.withLock { $0 -= now }
                if most >= UploadRoom.large { UploadRoom.giveBack() }
            }

            /// Says how much is held now.
            ///
            /// - Throws: ``Problem`` 503 if uploads hold too much together.
            func hold(_ bytes: Int) throws(Problem) {
                let more = held.withLock { held in
                    defer { held = (bytes, max(held.most, bytes)) }
                    return bytes - held.now
                }
                guard more != 0 else { return }
                let isTooMuch = room.held.withLock { held in
                    held += more
                    return more > 0 && held > UploadRoom.size
                }
                if isTooMuch {
                    throw Problem(
                        503, "busy", "Other uploads take all the memory that uploads may; send it again later.")
                }
            }
        }

        static let size = 192 << 20
        /// After an upload that held so much, free memory is given back to the system.
        private static let large = 4 << 20

        private let held = Mutex(0)
        /// Files that are no tapes are read as a whole, one at a time: what is made of one takes many times its bytes.
        private let reading = Mutex(())

        /// Bytes that are held now.
        var bytes: Int { held.withLock { $0 } }

        func share() -> Share { Share(self) }

        /// Runs `body` while no other upload does.
        func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
            try reading.withLock { _ in try body() }
        }

        private static func giveBack() {
            // The GNU C library keeps what was freed in small pieces. Found by name: its header is in no module.
            typealias Trim = @convention(c) (Int) -> CInt
            guard let symbol = dlsym(nil, "malloc_trim") else { return }
            _ = unsafeBitCast(symbol, to: Trim.self)(0)
        }
    }
#endif
