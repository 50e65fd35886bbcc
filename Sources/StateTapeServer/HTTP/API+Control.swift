import Logging
import TapeArchive
import TapeFormat
import TapeSockets

extension API {
    /// Pauses or resumes recording, and locks or unlocks the app.
    func control(_ session: Session, _ exchange: HTTPExchange) throws -> HTTPResponse? {
        let control = try order(RequestBody(exchange.body, "recording", "locked", "queue", "keep"))
        _ = try port(of: session)
        if control.locked == false, apps.isReplaying(session.id) {
            throw Problem(409, "replaying", "A replay locks the app until it ends.")
        }
        act(session, exchange) { _, link in
            link.order(control)
            // The archive, which is not the loop's work, has it for the app's next connection.
            answer(exchange) {
                if let recording = control.recording {
                    do {
                        try archive.pause(session.row, !recording)
                    } catch {
                        logger.warning("Whether session \(session.id) is recorded can't be stored: \(error)")
                    }
                }
                events.tell(.changed([session.id]))
                return Answer.json(apps.status(of: session.id)?.json ?? .object(JSON.Object()))
            }
            return nil
        }
        return nil
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
        case (_, false?, let word?) where [.replay, .discard].contains(Control.Queue(rawValue: word)):
            return Control(
                recording: control.recording, locked: false, queue: Control.Queue(rawValue: word), keep: control.keep)
        case (_, false?, _): throw RequestBody.bad("With “locked” false, “queue” must be “replay” or “discard”.")
        case (_, _, _?): throw RequestBody.bad("“queue” is only valid with “locked” false.")
        default: return control
        }
    }
}
