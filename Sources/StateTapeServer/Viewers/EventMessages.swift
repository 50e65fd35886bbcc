import TapeFormat

/// Formats committed lines as messages for viewers, without parsing them into trees.
enum EventMessages {
    /// Bytes of the largest member that is sent with its line.
    static let maxMember = 16 << 10
    /// A message ends once it reaches this many bytes.
    private static let messageBytes = 256 << 10

    static func make(_ session: String, _ lines: [EventLine]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var message: [UInt8] = []
        for line in lines {
            write(session, line, to: &message)
            if message.count >= messageBytes {
                messages.append(message)
                message = []
            }
        }
        return message.isEmpty ? messages : messages + [message]
    }

    private static func write(_ session: String, _ line: EventLine, to message: inout [UInt8]) {
        if !message.isEmpty { message.append(UInt8(ascii: "\n")) }
        // A session's id needs no escaping.
        message += #"{"event":{"session":"\#(session)","line":"#.utf8
        let large = line.bytes.count > maxMember ? line.members.filter { line.size($0) ?? 0 > maxMember } : []
        if large.isEmpty {
            message += line.bytes
        } else {
            var separator = "{"
            for member in line.members where !large.contains(member) {
                message += separator.utf8
                JSON.string(member).write(to: &message)
                message += ":".utf8
                message += line.raw(member) ?? []
                separator = ","
            }
            message += #"},"large":"#.utf8
            JSON.array(large.map(JSON.string)).write(to: &message)
        }
        message += "}}".utf8
    }
}
