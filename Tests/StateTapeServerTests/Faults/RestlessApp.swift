import SampleTapes
import TapeFormat
import TapeSockets
import Testing

@testable import StateTapeServer

/// An app that records one session after another as fast as they are acknowledged, and reconnects whenever it must.
struct RestlessApp {
    private let killings: Killings
    private let loop: EventLoop
    private let name: String
    private var chance: Chance
    private(set) var sent: [SentTape] = []
    /// The number of lost connections.
    private(set) var losses = 0

    init(_ number: Int, seed: UInt64, _ killings: Killings, on loop: EventLoop) {
        self.killings = killings
        self.loop = loop
        name = "APP-\(number)"
        chance = Chance(seed &* 1_000 &+ UInt64(number))
    }

    /// Runs until the kills are done and its last session has ended.
    mutating func run() async {
        repeat { await record(tape()) } while !killings.isOver
    }

    private mutating func tape() -> SentTape {
        var tape = RandomTape()
        var lines = (0..<100 + chance.below(700)).map { _ in tape.next(&chance) }
        lines.append(Sample.end((lines.last?.seq ?? 0) + 1))
        return SentTape(header: Sample.header("\(name)-SESSION-\(1_000 + sent.count)"), lines: lines)
    }

    private mutating func record(_ tape: SentTape) async {
        sent.append(tape)
        var acknowledged = 0
        var sentBelow = 0
        var attempt = 0
        while acknowledged < tape.next {
            let port = await killings.port()
            let peer = await TestPeer.connect(
                on: loop, to: "ws://127.0.0.1:\(port)/v1/app", subprotocol: "statetape.v1")
            attempt += 1
            peer.send([AppLine.hello(Sample.hello(tape.header, attempt: attempt)).bytes])
            do {
                let have = try await peer.welcome().have
                #expect(have >= acknowledged, "\(tape.id): what was acknowledged is gone")
                #expect(have <= sentBelow, "\(tape.id): what was never sent is there")
                acknowledged = max(acknowledged, have)
                var rest = tape.lines.drop { $0.seq < have }
                #expect(rest.first.map { $0.first == have } ?? true, "\(tape.id): a part of a line is there")
                while acknowledged < tape.next {
                    while !rest.isEmpty, sentBelow - acknowledged < 1_000 {
                        let message = rest.prefix(1 + chance.below(40))
                        rest = rest.dropFirst(message.count)
                        sentBelow = max(sentBelow, (message.last?.seq ?? -1) + 1)
                        peer.send(message.map(\.bytes))
                    }
                    acknowledged = try await peer.line { (line: ServerLine) in
                        if case .ack(let next) = line { next } else { nil }
                    }
                    killings.acknowledged()
                }
            } catch {
                losses += 1
            }
            peer.close()
        }
    }
}
