import CLinux
import Dispatch
import TapeFormat

/// Memory that large answers and uploads have freed, and that the C library would keep for later ones.
enum FreedMemory {
    /// What is worth giving back, in bytes.
    static let large = 4 << 20
    /// Larger pieces are pages of their own, which go back at once.
    private static let piece = 1 << 20

    private static let queue = DispatchQueue(label: "statetape.freed-memory")
    private static let isDue = Locked(false)

    /// Without this, the C library makes ever larger pieces parts of its heaps, where they leave holes.
    static func keepLargePiecesApart() {
        #if canImport(Glibc)
            mallopt(M_MMAP_THRESHOLD, CInt(piece))
        #endif
    }

    /// Returns all free memory to the system, once for all that ask within a second.
    static func giveBackSoon() {
        let wasDue = isDue.withLock { due in
            defer { due = true }
            return due
        }
        guard !wasDue else { return }
        queue.asyncAfter(deadline: .now() + 1) {
            isDue.withLock { $0 = false }
            #if canImport(Glibc)
                malloc_trim(0)
            #endif
        }
    }
}
