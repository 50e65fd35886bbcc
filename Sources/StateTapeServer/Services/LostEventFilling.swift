import Logging
import TapeArchive
import TapeSockets

/// Says which acknowledged events are missing, and puts gaps in their place once apps had time to send them again.
struct LostEventFilling: Sendable {
    let archive: any TapeStore
    let committer: Committer
    let apps: LiveApps
    let events: EventPost
    let logger: Logger

    func begin(on loop: EventLoop, after refill: Duration) {
        if archive.isReplaced {
            logger.error(
                """
                The archive's file is another one than the folder had before. What its log has, and what was acknowledged, \
                belongs to the one before: put that one back if you didn't mean to replace it.
                """)
        }
        for table in archive.rebuiltIndexes {
            logger.error(
                """
                An index of the archive's table \(table) was damaged, and was made anew. “statetape check” finds more damage.
                """)
        }
        if archive.lostEdits > 0 {
            logger.error("The archive's log was damaged: \(LostEdits.text(archive.lostEdits))")
        }
        guard !archive.lost.isEmpty else { return }
        for lost in archive.lost {
            logger.error(
                lost.isInside
                    ? "The archive has gaps, as if its file or its log were another one: \(lost). Put both back from one backup."
                    : "The archive's log was damaged: \(lost). Its app sends again what it still has; a gap replaces the rest."
            )
        }
        loop.schedule(after: refill) { [self] in
            // Between two commits.
            committer.run { fill() }
        }
    }

    private func fill() {
        do {
            let filled = try archive.fillLost { apps.isConnected($0) }
            events.tell(.changed(Set(filled.map(\.session))))
        } catch {
            logger.error("Lost events can't be replaced by gaps: \(Damage.reason(error))")
        }
    }
}
