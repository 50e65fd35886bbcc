import Dispatch

/// Passes a body from the socket to its taker. On the loop's thread only.
final class BodyReader {
    /// The most bytes queued for the taker. Above this, reading pauses.
    private static let bound = 512 << 10

    private let taker: any BodyConsumer
    private let loop: EventLoop
    private let relieved: () -> Void
    private let queue = DispatchQueue(label: "statetape.body")
    private var waiting: [UInt8] = []
    private var isBusy = false
    private var hasEnded = false
    private(set) var isFull = false

    /// - Parameter relieved: Called once the queue has room again after ``receive(_:)`` filled it.
    init(_ taker: any BodyConsumer, loop: EventLoop, relieved: @escaping () -> Void) {
        self.taker = taker
        self.loop = loop
        self.relieved = relieved
    }

    func receive(_ bytes: UnsafeRawBufferPointer) {
        waiting.append(contentsOf: bytes)
        passOn()
        isFull = waiting.count >= Self.bound
    }

    func end() {
        hasEnded = true
        passOn()
    }

    /// Ends the body early: the taker gets what has arrived, and no more.
    func abandon() {
        guard !hasEnded else { return }
        let piece = waiting
        waiting = []
        queue.async { [taker] in
            if !piece.isEmpty { taker.take(piece) }
            taker.peerDisconnected()
        }
    }

    private func passOn() {
        guard !isBusy else { return }
        guard !waiting.isEmpty else {
            if hasEnded { queue.async { [taker] in taker.end() } }
            return
        }
        isBusy = true
        let piece = waiting
        waiting = []
        let back = loop.back { [self] (_: Void) in taken() }
        queue.async { [taker] in
            taker.take(piece)
            back(())
        }
    }

    private func taken() {
        isBusy = false
        passOn()
        guard isFull else { return }
        isFull = false
        relieved()
    }
}
