/// Bytes queued for a socket, in their original pieces.
struct Outgoing {
    private var pieces: [[UInt8]] = []
    private var first = 0
    private var offset = 0
    /// The number of queued bytes.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ piece: [UInt8]) {
        guard !piece.isEmpty else { return }
        pieces.append(piece)
        count += piece.count
    }

    /// Passes up to `limit` bytes of the first piece to `body` and removes them.
    mutating func take(_ limit: Int, _ body: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        guard first < pieces.count else { return true }
        let end = min(offset + limit, pieces[first].count)
        let isTaken = pieces[first].withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset..<end])) }
        count -= end - offset
        offset = end
        if offset == pieces[first].count {
            pieces[first] = []
            first += 1
            offset = 0
            if first == pieces.count {
                pieces.removeAll(keepingCapacity: true)
                first = 0
            }
        }
        return isTaken
    }
}
