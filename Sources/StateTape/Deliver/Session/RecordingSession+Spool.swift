import Dispatch
import TapeFormat

// Keeps events on disk, on the recorder's thread.
extension RecordingSession {
    /// Starts to write events to disk. Without a writable folder, they are kept in memory only.
    func openSpool() {
        guard let spoolFolder else { return }
        do {
            let folder = try spoolFolder.make(link.state.sessionIdentity)
            spool = Spool(folder) { [weak self, log] reason in
                self?.pending.close()
                log("From here on, unsent events are kept in memory only: \(reason)")
            }
            try pending.open(folder.pending)
        } catch {
            log("Unsent events are kept in memory only: \(error)")
            closeSpool(remove: true)
        }
    }

    /// - Parameter remove: Whether to delete the session's folder; otherwise the next launch delivers its contents.
    func closeSpool(remove: Bool) {
        pending.close()
        if remove { spool?.remove() }
        spool = nil
        if !remove { recovery?.stop() }
    }

    /// Starts a new segment, which can be read without the earlier ones.
    func endSegment() {
        spool?.cut()
        for store in attached { store.writeFullNext() }
    }

    /// Delivers the sessions of earlier launches, once.
    func recover() {
        guard recovery == nil, !isStopped, let spoolFolder, let address else { return }
        recovery = Recovery(spoolFolder, token: address.token, compresses: address.compresses, route)
        recovery?.next()
    }
}
