import TapeFormat

/// What a session's folder says about the session: who sends it, and to which server. It never has a token, since the
/// next launch has its own.
struct SpoolIdentity: Equatable {
    /// The first line of `lock`.
    static let marker = Array("STATETAPE SESSION\n".utf8)
    /// The most bytes of a file with an identity.
    static let maxBytes = 64 << 10

    let header: Header
    let key: String
    let server: SessionServer

    init(_ sessionIdentity: LinkState.SessionIdentity) {
        (header, key, server) = (sessionIdentity.header, sessionIdentity.key, sessionIdentity.server)
    }

    /// Reads `hello`; nil if it is damaged. Older versions of the recorder wrote its first line only.
    init?(hello bytes: [UInt8]) {
        let lines = bytes.lines
        guard bytes.count <= Self.maxBytes, let first = lines.first,
            case .hello(let hello) = try? AppLine(parsing: first)
        else { return nil }
        (header, key) = (hello.header, hello.key)
        if bytes.count == first.count {
            server = SessionServer()
        } else {
            guard lines.count == 2, let server = (try? JSON(parsing: lines[1]))?["server"] else { return nil }
            self.server = SessionServer(server)
        }
    }

    /// Reads `lock`; nil if it is damaged, or an older version of the recorder wrote it.
    init?(lock bytes: [UInt8]) {
        guard bytes.starts(with: Self.marker) else { return nil }
        self.init(hello: Array(bytes.dropFirst(Self.marker.count)))
    }

    /// Whether a power failure may have left this of `lock`: a part of the marker, or zeros.
    static func isBlank(_ bytes: [UInt8]) -> Bool { marker.starts(with: bytes) || bytes.allSatisfy { $0 == 0 } }

    /// The contents of `hello`.
    var bytes: [UInt8] {
        let hello = Hello(header: header, key: key, next: 0, fresh: false, recovered: true)
        let second = JSON.object(JSON.Object([("server", server.json)]))
        return [AppLine.hello(hello).bytes, second.bytes].flatMap { $0 + [UInt8(ascii: "\n")] }
    }

    /// The contents of `lock`.
    var lockBytes: [UInt8] { Self.marker + bytes }
}
