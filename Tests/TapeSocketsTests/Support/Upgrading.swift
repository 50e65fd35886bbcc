/// The client side of a WebSocket, byte by byte.
enum Upgrading {
    static let headers: [String: String?] = [
        "Host": "127.0.0.1", "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "test.v1",
    ]
    /// The answer to the key in RFC 6455's example.
    static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    static var request: String { request(offering: "test.v1") }

    static func request(offering subprotocols: String?) -> String {
        let headers = headers.merging(["Sec-WebSocket-Protocol": subprotocols]) { $1 }
        return "GET / HTTP/1.1\r\n"
            + headers.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }.joined() + "\r\n"
    }

    /// A client's final binary frame, masked with zeros.
    static func frame(_ payload: [UInt8]) -> [UInt8] {
        precondition(payload.count < 126, "a short frame")
        return [0x82, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
    }
}
