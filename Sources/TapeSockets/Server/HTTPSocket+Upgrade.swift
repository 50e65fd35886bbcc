import Foundation

extension HTTPSocket {
    func isUpgrade(_ request: HTTPRequest) -> Bool {
        let names = (request.headers["upgrade"] ?? "").split(separator: ",")
        return names.contains { $0.trimmingCharacters(in: .whitespaces).lowercased() == "websocket" }
    }

    func upgrade(_ head: RequestHead) {
        switch WebSocketHandshake(head, at: context).answer {
        case .refuse(let response): refuse(response, closing: true)
        case .accept(let answer, let handler):
            let connection = Connection(
                on: context.loop, peer: peer, maxMessage: context.options.maxMessage,
                maxOutstanding: context.options.maxOutstanding, heartbeat: context.options.heartbeat,
                handler: handler)
            connection.io.value.longMessages = context.longMessages.value
            phase = .over
            write(answer)
            let rest = input
            input = []
            connection.begin(socket, rest: rest) { [context, peer] end in context.exit(peer, notBefore: end) }
        }
    }
}
