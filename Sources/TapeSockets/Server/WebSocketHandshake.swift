internal import CTapeSockets
import Foundation

/// A WebSocket upgrade request and its answer.
struct WebSocketHandshake {
    enum Answer {
        case refuse(HTTPResponse)
        /// The response's bytes, and the connection's handler.
        case accept([UInt8], any ConnectionHandler)
    }

    let answer: Answer

    init(_ head: RequestHead, at context: ListenerContext) {
        let request = head.request
        if let refusal = context.service.admit(request) {
            answer = .refuse(refusal)
            return
        }
        if let fault = Self.fault(in: head) {
            answer = .refuse(fault)
            return
        }
        let list = request.headers["sec-websocket-protocol"] ?? ""
        let offered = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.isEmpty
        }
        guard offered.allSatisfy({ $0.utf8.allSatisfy(RequestHead.isToken) }) else {
            answer = .refuse(HTTPResponse(status: 400, "Sec-WebSocket-Protocol is malformed."))
            return
        }
        switch context.service.upgrade(request, offered: offered) {
        case .refuse(let response): answer = .refuse(response)
        case .accept(let subprotocol, let handler):
            let isKnown = offered.contains(subprotocol) && context.subprotocols.contains(subprotocol)
            guard isKnown || (offered.isEmpty && subprotocol.isEmpty) else {
                answer = .refuse(HTTPResponse(status: 400, "None of these subprotocols is supported."))
                return
            }
            answer = .accept(Self.consent(to: request, subprotocol), handler)
        }
    }

    private static func consent(to request: HTTPRequest, _ subprotocol: String) -> [UInt8] {
        let key = Array(
            ((request.headers["sec-websocket-key"] ?? "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        tape_sha1(key, key.count, &digest)
        var lines = [
            "HTTP/1.1 101 Switching Protocols", "upgrade: websocket", "connection: Upgrade",
            "sec-websocket-accept: \(Data(digest).base64EncodedString())",
        ]
        if !subprotocol.isEmpty { lines.append("sec-websocket-protocol: \(subprotocol)") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func fault(in head: RequestHead) -> HTTPResponse? {
        let headers = head.request.headers
        guard head.request.method == "GET" else {
            return HTTPResponse(status: 405, "A WebSocket upgrade must use GET.", headers: [("allow", "GET")])
        }
        guard head.isHTTP11 else {
            return HTTPResponse(status: 505, "A WebSocket upgrade must use HTTP/1.1.")
        }
        guard headers["sec-websocket-version"] == "13" else {
            return HTTPResponse(
                status: 426, "Only WebSocket version 13 is supported.",
                headers: [("sec-websocket-version", "13"), ("upgrade", "websocket")])
        }
        guard let key = headers["sec-websocket-key"], key.utf8.count == 24, Data(base64Encoded: key)?.count == 16
        else {
            return HTTPResponse(status: 400, "Sec-WebSocket-Key is missing or malformed.")
        }
        let options = (headers["connection"] ?? "").lowercased().split(separator: ",")
        guard options.contains(where: { $0.trimmingCharacters(in: .whitespaces) == "upgrade" }) else {
            return HTTPResponse(status: 400, "Connection is missing or malformed.")
        }
        guard head.bodyLength == 0 else {
            return HTTPResponse(status: 400, "A WebSocket upgrade can't have a body.")
        }
        return nil
    }
}
