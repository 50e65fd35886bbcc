/// A control line: an object whose single member names it. It travels on the wire only, never in a file.
struct ControlLine {
    let name: String
    let content: JSON

    /// Reads a line; nil where it is none: an object with another number of members.
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

    /// What the errors call the content.
    var members: Members {
        get throws(FormatError) { try Members(content, "“\(name)”") }
    }

    static func bytes(_ name: String, _ content: JSON) -> [UInt8] {
        JSON.object(JSON.Object([(name, content)])).bytes
    }
}
