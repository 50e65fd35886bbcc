import Dispatch
import TapeFormat
import TapeUplink

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
        for store in attached { store.writeFullNext(in: self) }
    }

    /// Delivers the sessions of earlier launches that this server gets, once for each server.
    func recover() {
        guard recovery == nil, !isStopped, link.state.phase == .live, let spoolFolder, let address else { return }
        recovery = Recovery(
            spoolFolder, for: link.state.sessionIdentity.server, token: address.token, compresses: address.compresses,
            route)
        recovery?.next()
    }

    /// Keeps events of this process as a dead process's session, for a server that may come back.
    ///
    /// - Parameter name: The folder's name. The session's own folder stays that of the running session.
    /// - Returns: Whether they are on disk.
    func keep(_ events: [EventLine], for identity: LinkState.SessionIdentity, as name: String) -> Bool {
        guard let spoolFolder, spool?.isWriting == true else { return false }
        do {
            let copy = Spool(try spoolFolder.make(identity, name: name)) { [log] reason in
                log("Not all events for the earlier server are kept: \(reason)")
            }
            for event in events { copy.append(event, cutsAt: bounds.bytes / 8) }
            copy.sync()
            return copy.isWriting
        } catch {
            log("The events for the earlier server can't be kept: \(error)")
            return false
        }
    }
}
