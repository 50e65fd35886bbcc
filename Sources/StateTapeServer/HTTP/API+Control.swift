#if Server
    import TapeFormat
    import TapeSockets

    extension API {
        /// Pauses recording, or holds the app's own actions, or lets them go.
        func control(_ session: Session, _ body: [UInt8]) throws -> HTTPResponse {
            let control = try order(json(body))
            guard let link = apps.link(of: session.id) else { throw Self.notConnected }
            if control.locked == false, link.replay != nil {
                throw Problem(409, "replaying", "The app is locked until its replay has ended.")
            }
            if let recording = control.recording { apps.setRecording(recording, session.id) }
            link.order(control)
            feed.changed([session.id])
            return Answer.json(apps.status(of: session.id)?.json ?? .object(JSON.Object()))
        }

        private func order(_ body: JSON) throws -> Control {
            func bool(_ name: String) throws -> Bool? {
                guard let member = body[name] else { return nil }
                guard let value = member.bool else {
                    throw Problem(400, "bad-body", "“\(name)” must be true or false.")
                }
                return value
            }
            let control = Control(recording: try bool("recording"), locked: try bool("locked"))
            switch (control.recording, control.locked, body["queue"]?.string) {
            case (nil, nil, _): throw Problem(400, "bad-body", "The body needs “recording” or “locked”.")
            case (_, false?, let queue?) where ["replay", "discard"].contains(queue):
                return Control(recording: control.recording, locked: false, queue: queue)
            case (_, false?, _):
                throw Problem(400, "bad-body", "With “locked” false “queue” must be “replay” or “discard”.")
            default: return control
            }
        }
    }
#endif
