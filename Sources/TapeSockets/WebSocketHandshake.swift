internal import CTapeSockets
import Foundation

/// A request for a WebSocket: checked for what libwebsockets would let pass or drop without an answer.
extension HTTPSocket {
    /// True if the socket is a WebSocket from now on; else it was refused, and is closed.
    func upgrade() -> Bool {
        guard let request = HTTPHead.read(socket, peer: peer) else {
            return refuse(HTTPResponse(status: 400, "The request is malformed."))
        }
        if let refusal = site.service.admit(request) { return refuse(refusal) }
        if let fault = fault(in: request) { return refuse(fault) }
        let list = request.headers["sec-websocket-protocol"] ?? ""
        let offered = list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        switch site.service.upgrade(request, offered: offered) {
        case .refuse(let response):
            return refuse(response)
        case .accept(let subprotocol, let handler):
            let isKnown = offered.contains(subprotocol) && site.subprotocols.contains(subprotocol)
            guard isKnown || (offered.isEmpty && subprotocol.isEmpty) else {
                return refuse(HTTPResponse(status: 400, "None of these subprotocols is spoken here."))
            }
            tape_accept(socket, subprotocol)
            let connection = Connection(
                on: site.loop, peer: peer, maxMessage: site.options.maxMessage,
                maxOutstanding: site.options.maxOutstanding, heartbeat: site.options.pingAfter, handler: handler)
            connection.take(socket)
            return true
        }
    }

    private func fault(in request: HTTPRequest) -> HTTPResponse? {
        let headers = request.headers
        guard request.method == "GET" else {
            return HTTPResponse(status: 405, "A WebSocket begins with GET.", headers: [("allow", "GET")])
        }
        guard tape_is_http11(socket) else {
            return HTTPResponse(status: 505, "A WebSocket begins with HTTP/1.1.")
        }
        guard headers["sec-websocket-version"] == "13" else {
            return HTTPResponse(
                status: 426, "Only version 13 is spoken here.",
                headers: [("sec-websocket-version", "13"), ("upgrade", "websocket")])
        }
        guard let key = headers["sec-websocket-key"], key.utf8.count == 24, Data(base64Encoded: key)?.count == 16 else {
            return HTTPResponse(status: 400, "Sec-WebSocket-Key is missing or malformed.")
        }
        // libwebsockets takes these lists up to 127 bytes.
        let connection = headers["connection"] ?? ""
        let tokens = connection.lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard tokens.contains("upgrade"), connection.utf8.count < 127 else {
            return HTTPResponse(status: 400, "Connection is missing, malformed or too long.")
        }
        guard headers["sec-websocket-protocol", default: ""].utf8.count < 127 else {
            return HTTPResponse(status: 400, "Sec-WebSocket-Protocol is too long.")
        }
        guard headers["host"] != nil else {
            return HTTPResponse(status: 400, "Host is missing.")
        }
        guard headers["content-length", default: "0"] == "0", headers["transfer-encoding"] == nil else {
            return HTTPResponse(status: 400, "A WebSocket begins without a body.")
        }
        return nil
    }

    private func refuse(_ response: HTTPResponse) -> Bool {
        let response = site.service.worded(response)
        let headers = response.headers + [("content-length", "\(response.body.count)"), ("connection", "close")]
        write(HTTPResponseHead(status: response.status, headers: headers).bytes)
        for start in stride(from: 0, to: response.body.count, by: tape_chunk) {
            write(Array(response.body[start..<min(start + tape_chunk, response.body.count)]))
        }
        return false
    }
}
