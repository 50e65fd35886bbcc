#if Server
    import Foundation

    extension HTTPSocket {
        func isUpgrade(_ request: HTTPRequest) -> Bool {
            let names = (request.headers["upgrade"] ?? "").split(separator: ",")
            return names.contains { $0.trimmingCharacters(in: .whitespaces).lowercased() == "websocket" }
        }

        func upgrade(_ head: RequestHead) {
            switch WebSocketHandshake(head, at: site).answer {
            case .refuse(let response): refuse(response, closing: true)
            case .accept(let answer, let handler):
                let connection = Connection(
                    on: site.loop, peer: peer, maxMessage: site.options.maxMessage,
                    maxOutstanding: site.options.maxOutstanding, heartbeat: site.options.heartbeat, handler: handler)
                phase = .over
                write(answer)
                let rest = input
                input = []
                connection.begin(socket, rest: rest) { [site, peer] end in site.exit(peer, notBefore: end) }
            }
        }
    }
#endif
