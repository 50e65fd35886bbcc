#if Server
    import TapeEngine
    import TapeFormat

    /// The server's side of one app link: lines in, what to do about them out. Checks syntax and order, no more.
    struct AppLinkState {
        enum Action {
            /// Claim the session; `opened` or `refused` answers. Until then nothing is to be read.
            case open(Hello)
            case append([EventLine])
            /// Everything below is committed.
            case ack(next: Int)
            case pushed(Pushed)
            /// Send the error, then close.
            case close(CloseCode, LinkError)
        }

        private enum Phase {
            case expectingHello
            /// Lines that came right behind the hello.
            case opening([[UInt8]])
            case open
            /// Closes once everything before is committed.
            case closing(CloseCode, LinkError)
            case closed
        }

        private var phase = Phase.expectingHello
        private let refusal: @Sendable (_ token: String?) -> LinkError?
        private let maxMessage: Int
        /// The next seq that isn't held, and the lowest that isn't committed.
        private var expected = 0
        private var committed = 0
        private var hasEnded = false
        /// What compressed messages can stand for; nil without any.
        private var inflater: Inflater?
        private var isCompressionGranted = false

        /// - Parameters:
        ///   - maxMessage: Bytes that a message may have, decompressed.
        ///   - refusal: Why an app with this token may not record.
        init(maxMessage: Int = Limits.line, refusal: @escaping @Sendable (_ token: String?) -> LinkError?) {
            self.maxMessage = maxMessage
            self.refusal = refusal
        }

        /// A message: whole lines, perhaps compressed.
        mutating func received(_ message: [UInt8]) -> [Action] {
            do throws(Refusal) {
                return take(try unpack(message).lines)
            } catch {
                return error.actions
            }
        }

        /// Why a message isn't taken.
        struct Refusal: Error {
            let actions: [Action]
        }

        /// A message's lines in one piece, decompressed; they are to be taken in order, as many at a time as one likes.
        mutating func unpack(_ message: [UInt8]) throws(Refusal) -> [UInt8] {
            guard message.first == Compression.mark, case .open = phase, isCompressionGranted else {
                return message
            }
            // Made when it is needed: most apps are idle, and it takes 11 KB.
            let inflater = inflater ?? Inflater()
            self.inflater = inflater
            do throws(Inflater.Failure) {
                return try inflater.message(message, limit: maxMessage)
            } catch {
                switch error {
                case .tooBig:
                    throw Refusal(
                        actions: closeAfterCommit(
                            .tooBig, "too-big", "a message may have \(maxMessage) bytes, decompressed"))
                case .broken(let reason):
                    throw Refusal(
                        actions: closeAfterCommit(
                            .badCompression, "bad-compression", "a message can't be decompressed: \(reason)"))
                }
            }
        }

        /// The session is this link's, with every seq below `have` committed.
        mutating func opened(have: Int, ended: Bool) -> [Action] {
            guard case .opening(let lines) = phase else { return [] }
            phase = .open
            expected = have
            committed = have
            hasEnded = ended
            return take(lines)
        }

        /// Another key opened the session first.
        mutating func refused() -> [Action] {
            close(.otherKey, "other-key", "this session belongs to another app")
        }

        /// The archive has everything below `next`.
        mutating func committed(next: Int) -> [Action] {
            committed = next
            switch phase {
            case .open: return [.ack(next: next)]
            case .closing(let code, let error) where committed == expected:
                phase = .closed
                return [.ack(next: next), .close(code, error)]
            default: return []
            }
        }

        /// A newer connection has the session now.
        mutating func replaced() -> [Action] {
            close(.replaced, "replaced", "a newer connection of this session took over")
        }

        mutating func deleted() -> [Action] {
            close(.deleted, "deleted", "this session was deleted")
        }

        /// Newer connections took the place of this one, which hasn't said hello.
        mutating func gaveWay() -> [Action] {
            close(.goingAway, "no-hello", "too many connections have not said hello")
        }

        /// As many apps are connected as may be.
        mutating func foundFull() -> [Action] {
            close(.goingAway, "full", "this server takes no more apps at once (--max-apps)")
        }

        mutating func helloIsOverdue() -> [Action] {
            guard case .expectingHello = phase else { return [] }
            // Not the app's fault, which is to come back: the network may be slow.
            return close(.goingAway, "no-hello", "no hello came in time")
        }

        /// The connection is gone.
        mutating func ended() {
            phase = .closed
            inflater = nil
        }

        private mutating func close(_ code: CloseCode, _ name: String, _ message: String) -> [Action] {
            if case .closed = phase { return [] }
            phase = .closed
            return [.close(code, LinkError(code: name, message: message))]
        }

        /// As `close`, after what is ahead of the offender is committed, so that it is the line at the next `have`.
        private mutating func closeAfterCommit(_ code: CloseCode, _ name: String, _ message: String) -> [Action] {
            guard committed < expected else { return close(code, name, message) }
            phase = .closing(code, LinkError(code: name, message: message))
            return []
        }

        mutating func take(_ lines: [[UInt8]]) -> [Action] {
            var actions: [Action] = []
            var events: [EventLine] = []
            events.reserveCapacity(lines.count)
            for (index, line) in lines.enumerated() {
                switch phase {
                case .expectingHello: actions += hello(line)
                case .open: actions += take(line, &events)
                case .opening(let waiting):
                    phase = .opening(waiting + lines[index...])
                    return actions
                case .closing, .closed: break
                }
            }
            // The lines go first: what follows them may be about them.
            return (events.isEmpty ? [] : [.append(events)]) + actions
        }

        private mutating func hello(_ line: [UInt8]) -> [Action] {
            guard line.count <= Limits.header else {
                return close(.headerTooLarge, "header-too-large", "the hello is longer than \(Limits.header) bytes")
            }
            do throws(FormatError) {
                guard case .hello(let hello) = try AppLine(parsing: line) else {
                    return close(.badLine, "bad-line", "the first line must be a hello")
                }
                if let refusal = refusal(hello.token) { return close(.notAuthorised, refusal.code, refusal.message) }
                phase = .opening([])
                isCompressionGranted = hello.compress.contains(Compression.deflate)
                return [.open(hello)]
            } catch {
                if let version = (try? JSON(parsing: line))?["hello"]?["tape"]?.int, version != 1 {
                    return close(.version, "version", "tape version \(version) is not known here, only 1")
                }
                return close(.badLine, "bad-line", "hello: \(error)")
            }
        }

        private mutating func take(_ line: [UInt8], _ events: inout [EventLine]) -> [Action] {
            do throws(FormatError) {
                switch try AppLine(parsing: line) {
                case .event(let event): return take(event, &events)
                case .pushed(let pushed): return [.pushed(pushed)]
                case .hello: return closeAfterCommit(.badLine, "bad-line", "a second hello")
                case .error, .unknown: return []
                }
            } catch {
                return closeAfterCommit(.badLine, "bad-line", "seq \(expected) was due: \(error)")
            }
        }

        private mutating func take(_ event: EventLine, _ events: inout [EventLine]) -> [Action] {
            guard event.seq >= expected else { return [] }
            guard event.first <= expected else {
                return closeAfterCommit(.outOfOrder, "out-of-order", "seq \(event.first) came, \(expected) was due")
            }
            guard !hasEnded else {
                return closeAfterCommit(.outOfOrder, "out-of-order", "seq \(event.seq) came after the end")
            }
            events.append(event.kind == .gap ? event.clipped(to: expected..<event.seq + 1) : event)
            expected = event.seq + 1
            hasEnded = event.kind == .end
            return []
        }
    }
#endif
