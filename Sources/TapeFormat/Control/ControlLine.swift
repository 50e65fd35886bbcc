/// A control line: an object with a single member, whose key is the line's name. Files contain no control lines.
struct ControlLine {
    let name: String
    let content: JSON

    /// Returns nil if the JSON isn't an object with a single member.
    init?(_ json: JSON) {
        guard let object = json.object, object.count == 1, let member = object.first else { return nil }
        name = member.key
        content = member.value
    }

    init(parsing bytes: [UInt8]) throws(FormatError) {
        guard bytes.count <= Limits.line else { throw FormatError("a line of more than \(Limits.line) bytes") }
        guard let line = ControlLine(try JSON(parsing: bytes)) else {
            throw FormatError("a control line must be an object with a single member")
        }
        self = line
    }

    /// The content's members; errors name the control line.
    var members: Members {
        get throws(FormatError) { try Members(content, "“\(name)”") }
    }

    static func bytes(_ name: String, _ content: JSON) -> [UInt8] {
        JSON.object(JSON.Object([(name, content)])).bytes
    }
}
