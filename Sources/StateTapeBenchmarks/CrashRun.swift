import Foundation
import TapeFormat
import TapeSockets

/// Kills a random server again and again while apps record, and compares what is stored with what they sent.
struct CrashRun {
    let database: String
    let kills: Int

    private static let rate = 50

    func run() throws {
        let fleet = try ServerFleet(database)
        defer { fleet.stop() }
        let loop = try EventLoop()
        defer { loop.stop() }
        let apps = (0..<20).map { StubbornApp($0, loop, fleet.port) }
        for app in apps { app.connect() }
        let isOver = Locked(false)
        let sender = Thread {
            let start = Date()
            var tick = 0
            while !isOver.withLock({ $0 }) {
                Thread.sleep(until: start + Double(tick) / Double(Self.rate))
                for app in apps { app.record() }
                tick += 1
            }
        }
        sender.start()
        for _ in 0..<kills {
            Thread.sleep(forTimeInterval: .random(in: 0.2...1))
            try fleet.crash(.random(in: 0..<ServerFleet.count))
        }
        isOver.withLock { $0 = true }
        while !sender.isFinished { sched_yield() }
        var events = 0
        for app in apps {
            try app.finish()
            try compare(Self.lines(app.session, fleet.port), app)
            events += app.lines.count
        }
        FileHandle.standardError.write(
            Data(
                """
                \(kills) kills, \(events) events of \(apps.count) apps, \(apps.map(\.reconnects).reduce(0, +)) \
                reconnects: none lost, doubled or different.

                """.utf8))
    }

    private func compare(_ stored: [[UInt8]], _ app: StubbornApp) throws {
        let lines = app.lines
        guard stored != lines else { return }
        let place = zip(stored, lines).enumerated().first { $1.0 != $1.1 }?.offset ?? min(stored.count, lines.count)
        throw Lost(
            description: """
                \(app.session): \(stored.count) lines are stored, \(lines.count) were recorded and acknowledged; \
                they differ from line \(place) on
                """)
    }

    /// The events that the API has, without the header.
    private static func lines(_ session: String, _ port: Int) throws -> [[UInt8]] {
        guard let url = URL(string: "http://127.0.0.1:\(port)/api/v1/sessions/\(session)/tape") else { return [] }
        return try [UInt8](Data(contentsOf: url)).split(separator: UInt8(ascii: "\n")).dropFirst().map { Array($0) }
    }
}
