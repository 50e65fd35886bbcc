/// A streamed body, produced while it is sent.
final class HTTPSource {
    let next: @Sendable () throws -> [UInt8]?
    /// A piece is being produced.
    var isBusy = false
    private let isChunked: Bool

    init(isChunked: Bool, next: @escaping @Sendable () throws -> [UInt8]?) {
        self.isChunked = isChunked
        self.next = next
    }

    func frame(_ piece: [UInt8], into outgoing: inout Outgoing) {
        // An empty chunk would end the body.
        guard isChunked, !piece.isEmpty else { return outgoing.append(piece) }
        outgoing.append(Array("\(String(piece.count, radix: 16))\r\n".utf8))
        outgoing.append(piece)
        outgoing.append([13, 10])
    }

    func end(into outgoing: inout Outgoing) {
        if isChunked { outgoing.append(Array("0\r\n\r\n".utf8)) }
    }
}
