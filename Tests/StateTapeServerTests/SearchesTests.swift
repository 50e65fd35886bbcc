import Foundation
import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct SearchesTests {
    private final class Count: Sendable {
        private let count = Locked(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    private final class Notes: Sendable {
        private let notes = Locked<[String]>([])
        var all: [String] { notes.withLock { $0 } }
        func add(_ note: String) { notes.withLock { $0.append(note) } }
    }

    @Test("One that gives way lets the next one run")
    func turns() throws {
        let searches = Searches(atOnce: 1)
        let (first, last) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let begun = DispatchSemaphore(value: 0)
        let order = Notes()
        try searches.run(for: .all) {
            order.add("first begins")
            begun.signal()
            first.wait()
            searches.yieldTurn()
            order.add("first goes on")
            last.signal()
        }
        begun.wait()
        try searches.run(for: .all) { order.add("second") }
        // Wait until the second one is queued.
        while searches.waiting == 0 { sched_yield() }
        #expect(order.all == ["first begins"])
        first.signal()
        last.wait()
        #expect(order.all == ["first begins", "second", "first goes on"])
        searches.stop()
    }

    @Test("Clients take turns, and none takes all places: control finds one beside the others")
    func clients() throws {
        let searches = Searches(atOnce: 1)
        let (begun, hold) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let order = Notes()
        let clients = (1...3).map { Requester(role: .view, peer: "10.0.0.\($0)") }
        try searches.run(for: .all) {
            begun.signal()
            hold.wait()
        }
        begun.wait()
        var taken = 0
        while (try? searches.run(for: clients[0]) { order.add("1") }) != nil { taken += 1 }
        #expect(taken == 24)
        while (try? searches.run(for: clients[1]) { order.add("2") }) != nil { taken += 1 }
        #expect(taken == 48)
        #expect(throws: Problem.self) { try searches.run(for: clients[2]) {} }
        try searches.run(for: .all) { order.add("control") }
        while searches.waiting < 49 { sched_yield() }
        hold.signal()
        while order.all.count < 49 { sched_yield() }
        #expect(Set(order.all.prefix(3)) == ["1", "2", "control"], "\(order.all)")
        searches.stop()
    }

    @Test("Searches above the limit are refused; after a stop none starts, and the waiting ones are dropped")
    func bounds() throws {
        let searches = Searches(atOnce: 1)
        let hold = DispatchSemaphore(value: 0)
        let begun = Count()
        func add() throws {
            try searches.run(for: .all) {
                begun.add()
                hold.wait()
            }
        }
        for _ in 0..<64 { try add() }
        #expect(throws: Problem.self) { try add() }
        while searches.waiting < 63 { sched_yield() }
        let stopping = Thread { searches.stop() }
        stopping.start()
        while !searches.isStopped { sched_yield() }
        #expect(throws: Problem.self) { try searches.run(for: .all) {} }
        hold.signal()
        searches.stop()
        #expect(begun.value == 1)
    }

    @Test("Endless expressions block neither commits nor lists, and are answered in time")
    func endless() async throws {
        let server = try TestServer()
        let long = JSON.string(String(repeating: "a", count: 1 << 20))
        let app = try await server.recorded([Sample.start(0, ["n": 0, "text": long])])
        let evil = #"(?=(a+))a*[bc]\1"#.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let (finished, isOver) = (Count(), Count())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for kind in ["events", "matches", "histogram"] {
                group.addTask {
                    repeat {
                        let answer = try await server.http.get("\(TestServer.session)/\(kind)?re=\(evil)")
                        finished.add()
                        #expect(answer.status == 400 && answer.text.contains("“re”"), "\(answer.text)")
                    } while isOver.value == 0
                }
            }
            // They have started, and run until the end of the test.
            try await server.until { try await $0.get("/healthz").status == 200 && finished.value > 0 }
            var undisturbed = 0
            for seq in 1...10 {
                let before = finished.value
                app.send([Sample.count(seq, to: seq).bytes])
                try await app.acknowledged(seq + 1)
                #expect(try await server.http.get(TestServer.session + "/states/\(seq)?store=none").status == 404)
                #expect(try await server.http.get("/healthz").status == 200)
                if finished.value == before { undisturbed += 1 }
            }
            isOver.add()
            // Each search takes one second.
            #expect(undisturbed > 5, "what is done meanwhile waits for searches to end")
            try await group.waitForAll()
        }
        app.close()
    }
}
