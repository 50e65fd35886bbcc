import Logging
import TapeArchive
import TapeFormat
import TapeSockets

extension API {
    /// Pauses or resumes recording, and locks or unlocks the app.
    func control(_ session: Session, _ body: [UInt8]) throws -> HTTPResponse {
        let control = try order(RequestBody(body, "recording", "locked", "queue", "keep"))
        guard let link = apps.link(of: session.id) else { throw Self.notConnected }
        if control.locked == false, link.isReplaying {
            throw Problem(409, "replaying", "A replay locks the app until it ends.")
        }
        link.order(control)
        if let recording = control.recording {
            do {
                // For the app's next connection.
                try archive.pause(session.row, !recording)
            } catch {
                logger.warning("Whether session \(session.id) is recorded can't be stored: \(error)")
            }
        }
        events.tell(.changed([session.id]))
        return Answer.json(apps.status(of: session.id)?.json ?? .object(JSON.Object()))
    }

    private func order(_ body: RequestBody) throws -> Control {
        let keep = try body.bool("keep")
        let control = Control(
            recording: try body.bool("recording"), locked: try body.bool("locked"), keep: keep ?? false)
        if keep != nil, control.locked != false {
            throw RequestBody.bad("“keep” is only valid with “locked” false.")
        }
        switch (control.recording, control.locked, try body.string("queue", max: 10)) {
        case (nil, nil, _): throw RequestBody.bad("The body needs “recording” or “locked”.")
        case (_, false?, let queue?) where ["replay", "discard"].contains(queue):
            return Control(recording: control.recording, locked: false, queue: queue, keep: control.keep)
        case (_, false?, _): throw RequestBody.bad("With “locked” false, “queue” must be “replay” or “discard”.")
        case (_, _, _?): throw RequestBody.bad("“queue” is only valid with “locked” false.")
        default: return control
        }
    }
}
