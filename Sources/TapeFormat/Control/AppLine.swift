/// A line that an app sends to the server.
public enum AppLine: Sendable {
    case hello(Hello)
    case event(EventLine)
    case pushed(Pushed)
    /// How many of the locked app’s own actions wait.
    case queued(Int)
    case error(LinkError)
    /// A control line that this version doesn't know; the receiver ignores it.
    case unknown(String)

    /// Parses a line without its newline.
    ///
    /// - Throws: `FormatError` with the member and the position.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        // A fast path: nearly all lines are events that start with `seq`.
        if bytes.hasPrefix(#"{"seq":"#) {
            self = .event(try EventLine(parsing: bytes))
            return
        }
        // A line with only `seq` is an incomplete event, not an unknown control line.
        guard AppLine.isControl(bytes), let line = ControlLine(try JSON(parsing: bytes)), line.name != "seq" else {
            self = .event(try EventLine(parsing: bytes))
            return
        }
        switch line.name {
        case "hello":
            guard bytes.count <= Limits.header else { throw FormatError("a hello of more than \(Limits.header) bytes") }
            self = .hello(try Hello(line.content))
        case "pushed": self = .pushed(try Pushed(line.members))
        case "queued": self = .queued(try line.members.count("count"))
        case "error": self = .error(try LinkError(line.members))
        default: self = .unknown(line.name)
        }
    }

    /// The line without its newline.
    public var bytes: [UInt8] {
        switch self {
        case .hello(let hello): ControlLine.bytes("hello", hello.json)
        case .event(let event): event.bytes
        case .pushed(let pushed): ControlLine.bytes("pushed", pushed.json)
        case .queued(let count): ControlLine.bytes("queued", ["count": .int(count)])
        case .error(let error): ControlLine.bytes("error", error.json)
        case .unknown(let name): ControlLine.bytes(name, .object(JSON.Object()))
        }
    }

    /// Whether the line has a single member, without parsing its value.
    private static func isControl(_ bytes: [UInt8]) -> Bool {
        var members = 0
        let checked: Void? = try? Reader.whole(bytes) { (reader) throws(FormatError) in
            reader.skipSpace()
            guard reader.next == UInt8(ascii: "{") else { return }
            try reader.object(0) { (reader, _) throws(FormatError) in
                members += 1
                try reader.skip(depth: 1)
            }
        }
        return checked != nil && members == 1
    }
}

extension [UInt8] {
    fileprivate func hasPrefix(_ text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && (0..<text.utf8CodeUnitCount).allSatisfy { self[$0] == text.utf8Start[$0] }
    }
}
