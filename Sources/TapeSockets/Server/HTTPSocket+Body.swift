internal import CTapeSockets

extension HTTPSocket {
    /// Takes the part of the body that was read with the head.
    func takeInput() {
        let piece = Array(input.prefix(rest))
        input.removeFirst(piece.count)
        if !piece.isEmpty { piece.withUnsafeBytes(take) }
    }

    /// Takes a piece of the body, or ignores it if the request was refused.
    func take(_ bytes: UnsafeRawBufferPointer) {
        rest -= bytes.count
        pace.take(bytes.count)
        switch phase {
        case .reading(let request):
            body.append(contentsOf: bytes)
            if rest == 0 { deliver(request) }
        case .taking(let intake):
            intake.receive(bytes)
            if rest == 0 {
                wait()
                intake.end()
            } else if intake.isFull {
                tape_read(socket, false)
            }
        case .idle, .waiting, .answering, .over: break
        }
    }

    func intake(_ request: HTTPRequest, _ intake: BodyIntake) -> BodyReader {
        BodyReader(intake.begin(exchange(request)), loop: context.loop) { [weak self, serial] in
            self?.relieved(serial)
        }
    }

    private func relieved(_ serial: Int) {
        guard serial == self.serial, case .taking = phase else { return }
        tape_read(socket, true)
    }

    /// Ends a request whose body arrives too slowly and only blocks others.
    func watchPace() {
        let window = context.options.bodyWindow
        schedule(after: window) { [serial] socket in
            if serial == socket.serial { socket.checkPace(window) }
        }
    }

    private func checkPace(_ window: Duration) {
        let isPaused: Bool
        switch phase {
        case .reading: isPaused = false
        case .taking(let intake): isPaused = intake.isFull
        default: return
        }
        let rate = context.options.minBodyRate
        guard pace.isFast(atLeast: Double(rate) * (window / .seconds(1)), isPaused: isPaused) else {
            return refuse(HTTPResponse(status: 408, "A body must bring \(rate) bytes per second."), closing: true)
        }
        watchPace()
    }
}
