import TapeFormat

@testable import StateTapeServer

/// The input has an app's messages separated by the byte 1. The link's state machine accepts only lines in order.
func fuzzHello(_ bytes: [UInt8]) {
    let maxMessage = 64 << 10
    var link = AppLinkState(
        maxMessage: maxMessage, refusal: { $0 == "wrong" ? LinkError(code: "x", message: "y") : nil })
    var next = 0
    var isOpen = false
    var isClosed = false
    func perform(_ actions: [AppLinkState.Action]) {
        for action in actions {
            require(!isClosed, "an event follows the end")
            switch action {
            case .open(let hello):
                require(!isOpen, "a session is opened twice")
                isOpen = true
                require(Header.isSession(hello.header.session), "the session id is invalid")
                // The seq after the last possible event is valid, too.
                let seqs = 0...Limits.seq + 1
                require(seqs ~= hello.next && seqs ~= hello.header.from ?? 0, "a seq is invalid")
                next = hello.header.from ?? 0
                perform(link.opened(have: next, ended: false))
            case .append(let lines):
                for line in lines {
                    require(line.first == next, "event \(line.first) arrived, expected \(next)")
                    next = line.seq + 1
                    require((try? EventLine(parsing: line.bytes))?.seq == line.seq, "an event line is invalid")
                }
            case .ack(let acknowledged):
                require(acknowledged <= next, "the server acknowledges events that it hasn't received")
            case .pushed: break
            case .queued(let count): require(count >= 0, "fewer than no actions are queued")
            case .close(_, let error):
                require(!error.message.isEmpty, "the link ends without a reason")
                isClosed = true
            }
        }
    }
    func receive(_ message: [UInt8]) {
        do throws(AppLinkState.Refusal) {
            perform(link.take(try link.unpack(message).lines))
        } catch {
            perform(error.actions)
        }
    }
    for message in bytes.split(separator: 1, omittingEmptySubsequences: false) {
        let before = next
        receive(Array(message))
        if next > before { perform(link.committed(next: next)) }
    }
    link.ended()
    require(link.take(Array("{}".utf8).lines).isEmpty, "a closed link accepts a message")
}
