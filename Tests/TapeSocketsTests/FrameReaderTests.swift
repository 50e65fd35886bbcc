import Testing

@testable import TapeSockets

@Suite("Frame reader")
struct FrameReaderTests {
    /// The events of the frames, read in pieces of `step` bytes.
    private func events(_ frames: [[UInt8]], limit: Int = 1 << 20, step: Int = .max) -> [FrameSamples.Event] {
        var reader = FrameReader(limit: limit)
        var events: [FrameSamples.Event] = []
        var message: [UInt8] = []
        let all = frames.flatMap { $0 }
        for start in stride(from: 0, to: all.count, by: min(step, all.count)) {
            var piece = Array(all[start..<min(all.count, start + min(step, all.count))])
            piece.withUnsafeMutableBytes { bytes in
                var bytes = bytes
                while let event = reader.next(&bytes) {
                    switch event {
                    case .piece(let part, let isFirst, let isLast, let isText):
                        if isFirst { message = [] }
                        message += part
                        if isLast { events.append(.message(message, isText: isText)) }
                    case .ping(let payload): events.append(.ping(payload))
                    case .pong: events.append(.pong)
                    case .close(let code, let reason): events.append(.close(code, reason))
                    case .fault(let code, _):
                        events.append(.fault(code))
                        return
                    }
                }
            }
            if case .fault? = events.last { break }
        }
        return events
    }

    @Test("Frames give the same events in one piece and cut at every byte", arguments: FrameSamples.all.indices)
    func samples(_ index: Int) {
        let (name, frames, expected) = FrameSamples.all[index]
        for step in [Int.max, 1, 2, 3, 7, 64] { #expect(events(frames, step: step) == expected, "\(name) by \(step)") }
    }

    @Test("Reserved close codes are faults")
    func codes() {
        for code in [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535] as [UInt16] {
            #expect(events([FrameSamples.close(code)]) == [.fault(1002)], "\(code)")
        }
        for code in [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999] as [UInt16] {
            #expect(events([FrameSamples.close(code)]) == [.close(code, "")], "\(code)")
        }
    }

    @Test("A message longer than the limit is refused at the frame header that exceeds it")
    func limit() {
        let half = [UInt8](repeating: 1, count: 500)
        #expect(events([Frame.bytes(2, half, isFinal: false), Frame.bytes(0, half)], limit: 1_000).count == 1)
        let announced = Array(Frame.bytes(0, half + [1]).prefix(8))
        #expect(events([Frame.bytes(2, half, isFinal: false), announced], limit: 1_000) == [.fault(1009)])
    }

    @Test("UTF-8 is validated like by the standard library, wherever the text is cut")
    func text() {
        var state: UInt64 = 1
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let parts: [[UInt8]] = [
            [65], [0x7f], [0x80], [0xc2, 0x80], [0xc1, 0xbf], [0xdf, 0xbf], [0xe0, 0xa0, 0x80], [0xe0, 0x9f, 0xbf],
            [0xed, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xef, 0xbf, 0xbf], [0xf0, 0x90, 0x80, 0x80],
            [0xf0, 0x8f, 0xbf, 0xbf], [0xf4, 0x8f, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xf5], [0xe2, 0x82],
            Array("abcdefgh".utf8),
        ]
        for _ in 0..<5_000 {
            let text = (0..<1 + random(4)).flatMap { _ in parts[random(parts.count)] }
            let cut = random(text.count + 1)
            var check = UTF8Check()
            let isTaken = [text[..<cut], text[cut...]].allSatisfy { piece in
                Array(piece).withUnsafeBytes { check.take($0) }
            }
            #expect((isTaken && check.isComplete) == (String(validating: text, as: UTF8.self) != nil), "\(text)")
        }
    }
}

/// Frames and their expected events.
enum FrameSamples {
    enum Event: Equatable, CustomStringConvertible {
        case message([UInt8], isText: Bool)
        case ping([UInt8])
        case pong
        case close(UInt16, String)
        case fault(UInt16)

        var description: String {
            switch self {
            case .message(let bytes, let isText): "\(isText ? "text" : "binary") of \(bytes.count) bytes"
            case .ping(let bytes): "ping of \(bytes.count) bytes"
            case .pong: "pong"
            case .close(let code, let reason): "close \(code) \(reason)"
            case .fault(let code): "fault \(code)"
            }
        }
    }

    static func close(_ code: UInt16, _ reason: [UInt8] = []) -> [UInt8] {
        Frame.bytes(8, [UInt8(code >> 8), UInt8(code & 255)] + reason)
    }

    static let greek = Array("κόσμε".utf8)

    private static let byteByByte =
        greek.enumerated().map { Frame.bytes($0 == 0 ? 1 : 0, [$1], isFinal: false) } + [Frame.bytes(0, [])]

    /// Cases like those of the Autobahn test suite, by its numbers.
    static let all: [(name: String, frames: [[UInt8]], events: [Event])] = [
        ("1.1.1", [Frame.bytes(1, [])], [.message([], isText: true)]),
        ("1.2.1", [Frame.bytes(2, [])], [.message([], isText: false)]),
        (
            "1.1.6", [Frame.bytes(1, [UInt8](repeating: 42, count: 65_535))],
            [
                .message([UInt8](repeating: 42, count: 65_535), isText: true)
            ]
        ),
        (
            "1.2.7", [Frame.bytes(2, [UInt8](repeating: 254, count: 65_536))],
            [
                .message([UInt8](repeating: 254, count: 65_536), isText: false)
            ]
        ),
        ("2.1", [Frame.bytes(9, [])], [.ping([])]), ("2.4", [Frame.bytes(9, [0, 255, 254])], [.ping([0, 255, 254])]),
        ("2.5", [Frame.bytes(9, [UInt8](repeating: 254, count: 126))], [.fault(1002)]),
        ("2.7", [Frame.bytes(10, [])], [.pong]),
        ("3.1", [Frame.bytes(1, [65], reserved: 1)], [.fault(1002)]),
        (
            "3.4", [Frame.bytes(1, [65]), Frame.bytes(1, [65], reserved: 4)],
            [.message([65], isText: true), .fault(1002)]
        ),
        ("3.6", [Frame.bytes(9, [65], reserved: 6)], [.fault(1002)]),
        ("4.1.1", [Frame.bytes(3, [])], [.fault(1002)]), ("4.1.5", [Frame.bytes(7, [])], [.fault(1002)]),
        ("4.2.1", [Frame.bytes(11, [])], [.fault(1002)]), ("4.2.5", [Frame.bytes(15, [])], [.fault(1002)]),
        ("5.1", [Frame.bytes(9, [65], isFinal: false), Frame.bytes(0, [65])], [.fault(1002)]),
        ("5.3", [Frame.bytes(1, [65], isFinal: false), Frame.bytes(0, [66])], [.message([65, 66], isText: true)]),
        (
            "5.6", [Frame.bytes(1, [65], isFinal: false), Frame.bytes(9, [1]), Frame.bytes(0, [66])],
            [
                .ping([1]), .message([65, 66], isText: true),
            ]
        ),
        ("5.9", [Frame.bytes(0, [65])], [.fault(1002)]),
        ("5.18", [Frame.bytes(1, [65], isFinal: false), Frame.bytes(1, [66])], [.fault(1002)]),
        ("6.1.1", [Frame.bytes(1, [])], [.message([], isText: true)]),
        (
            "6.1.2", [Frame.bytes(1, [], isFinal: false), Frame.bytes(0, [], isFinal: false), Frame.bytes(0, [])],
            [
                .message([], isText: true)
            ]
        ),
        (
            "6.1.3", [Frame.bytes(1, [], isFinal: false), Frame.bytes(0, [65], isFinal: false), Frame.bytes(0, [])],
            [
                .message([65], isText: true)
            ]
        ),
        ("6.2.1", [Frame.bytes(1, greek)], [.message(greek, isText: true)]),
        (
            "6.2.3", byteByByte,
            [
                .message(greek, isText: true)
            ]
        ),
        ("6.3.1", [Frame.bytes(1, greek + [0xed, 0xa0, 0x80] + [65])], [.fault(1007)]),
        (
            "6.4.1", [Frame.bytes(1, greek, isFinal: false), Frame.bytes(0, [0xf4, 0x90], isFinal: false)],
            [.fault(1007)]
        ),
        ("6.6.1", [Frame.bytes(1, [0xce])], [.fault(1007)]), ("6.20.1", [Frame.bytes(1, [0xff])], [.fault(1007)]),
        ("binary is no text", [Frame.bytes(2, [0xff, 0xfe])], [.message([0xff, 0xfe], isText: false)]),
        ("7.1.3", [close(1000)], [.close(1000, "")]), ("7.3.1", [Frame.bytes(8, [])], [.close(1005, "")]),
        ("7.3.2", [Frame.bytes(8, [3])], [.fault(1002)]), ("7.3.4", [close(1000, greek)], [.close(1000, "κόσμε")]),
        ("7.3.6", [close(1000, [UInt8](repeating: 65, count: 124))], [.fault(1002)]),
        ("7.5.1", [close(1000, [0xce, 0xba, 0xff])], [.fault(1007)]),
        ("no mask", [Frame.bytes(1, [65], mask: nil)], [.fault(1002)]),
        ("a length of 125 in two bytes", [[0x81, 0xfe, 0, 125, 0, 0, 0, 0]], [.fault(1002)]),
        (
            "a length of 65 535 in eight bytes", [[0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0]],
            [.fault(1002)]
        ),
        ("a ping's length in two bytes", [[0x89, 0xfe, 0, 0, 0, 0, 0, 0]], [.fault(1002)]),
        ("no mask, empty", [Frame.bytes(9, [], mask: nil)], [.fault(1002)]),
        ("mask of zeros", [Frame.bytes(1, [65], mask: [0, 0, 0, 0])], [.message([65], isText: true)]),
        ("longest length", [[0x82, 0xff] + [UInt8](repeating: 255, count: 8) + [0, 0, 0, 0]], [.fault(1009)]),
    ]
}
