import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

@Suite("Pause, lock and replay in the link's state")
struct HoldStateTests {
    private func live() -> LinkDriver {
        var link = LinkDriver()
        link.live()
        _ = link.takeActions()
        return link
    }

    @Test("The server ends a lock, with the queued actions run or discarded")
    func unlock() {
        var link = live()
        link.say(.control(Control(locked: true)))
        link.say(.control(Control(locked: false, queue: .replay)))
        link.say(.control(Control(locked: false, queue: .replay)))
        link.say(.control(Control(locked: true)))
        link.say(.control(Control(locked: false, queue: .discard)))
        #expect(link.takeOrders() == [.lock, .unlock(discards: false), .lock, .unlock(discards: true)])
    }

    @Test("The server learns how many actions wait in all stores, and a new lock counts from none")
    func queued() {
        var link = live()
        _ = link.take()
        link.feed(.queued(store: "cart", 1))
        link.say(.control(Control(locked: true)))
        link.feed(.queued(store: "cart", 1))
        link.feed(.queued(store: "cart", 2))
        link.feed(.queued(store: "user", 1))
        link.say(.control(Control(locked: false, queue: .replay)))
        link.feed(.queued(store: "user", 2))
        link.say(.control(Control(locked: true)))
        link.feed(.queued(store: "user", 1))
        #expect(link.take() == [1, 2, 3, 1].map { #"{"queued":{"count":\#($0)}}"# })
    }

    @Test("A lock that no page renews for a minute ends")
    func overdue() {
        var link = live()
        link.say(.control(Control(locked: true)))
        #expect(link.waits[.lock] == .seconds(60))
        link.now = .seconds(50)
        link.say(.control(Control(locked: true)))
        #expect(link.waits[.lock] == .seconds(110))
        #expect(link.takeOrders() == [.lock])
        link.ring(.lock)
        #expect(link.takeOrders() == [.unlock(discards: false)])
        link.feed(.timer(.lock))
        #expect(link.takeOrders() == [])
    }

    @Test("A lock ends with the link, and the queued actions run")
    func lost() {
        var link = live()
        link.say(.control(Control(locked: true)))
        link.close(nil)
        #expect(link.takeOrders() == [.lock, .unlock(discards: false)])
    }

    @Test("A locked app applies states and refuses actions")
    func pushes() {
        var link = live()
        _ = link.take()
        link.say(.control(Control(locked: true)))
        link.say(.push(Push(id: "s", content: .state(1))))
        link.say(.push(Push(id: "a", content: .action(["type": "add"]))))
        #expect(link.takeOrders() == [.lock, .play(Push(id: "s", content: .state(1)))])
        let answers = link.take()
        #expect(answers.count == 1)
        #expect(answers.first?.contains("\"locked\"") == true)
    }

    @Test("A pause starts once, by an order or a welcome, and lasts until it ends")
    func pause() {
        var link = live()
        link.say(.control(Control(recording: false)))
        link.say(.control(Control(recording: false)))
        #expect(link.takeOrders() == [.record(false)])
        link.close(nil)
        link.ring(.retry)
        link.feed(.transport(.opened))
        link.say(.welcome(Welcome(session: "s", have: 0, server: "t", recording: false)))
        #expect(link.takeOrders() == [])
        link.say(.control(Control(recording: true)))
        #expect(link.takeOrders() == [.record(true)])
    }

    @Test("A replay queues the app's own actions from the start to its answer")
    func replay() {
        var link = LinkDriver()
        link.feed(.connect)
        let start = Welcome.Start(id: "r", mode: .replay, states: ["main": 1])
        link.welcome(start: start)
        let (first, done) = (Replay(id: "r", of: 3, action: ["type": "add"]), Replay(id: "r"))
        link.say(.replay(first))
        link.say(.replay(Replay(id: "other", of: 4, action: ["type": "add"])))
        // It needs no renewal.
        link.feed(.timer(.lock))
        link.say(.replay(done))
        #expect(link.takeOrders() == [.lock, .replay(first), .replay(done)])
        link.action(cause: ["push": "r", "of": 3])
        link.feed(.pushed(Pushed(id: "r", result: .played(seq: 0))))
        #expect(link.takeOrders() == [.unlock(discards: true)])
        link.say(.replay(first))
        #expect(link.takeOrders() == [])
    }

    @Test("A replay ends with the link")
    func replayLost() {
        var link = LinkDriver()
        link.feed(.connect)
        link.welcome(start: Welcome.Start(id: "r", mode: .replay, states: [:]))
        link.action(cause: ["push": "r", "of": 3])
        link.close(nil)
        #expect(link.takeOrders() == [.lock, .unlock(discards: true)])
        link.ring(.retry)
        link.welcome()
        link.say(.replay(Replay(id: "r", of: 3, action: ["type": "add"])))
        #expect(link.takeOrders() == [])
    }

    @Test("A replay without events locks the app for 5 s; the queued actions run, as none is an effect")
    func replayWithoutActions() {
        var link = LinkDriver()
        link.feed(.connect)
        link.welcome(start: Welcome.Start(id: "r", mode: .replay, states: [:]))
        #expect(link.waits[.replay] == .seconds(5))
        link.now = .seconds(3)
        // The app's own actions are no progress.
        link.note()
        link.action(cause: nil)
        link.ring(.replay)
        let failure = Pushed.Failure(code: .expired, message: "the replay made no progress for 5 s")
        #expect(link.now == .seconds(5))
        #expect(link.takeOrders() == [.lock, .endReplay("r", failure)])
        link.feed(.pushed(Pushed(id: "r", result: .failed(failure))))
        #expect(link.takeOrders() == [.unlock(discards: false)])
        link.feed(.timer(.replay))
        #expect(link.takeOrders() == [])
    }

    @Test("A replay continues as long as actions arrive or are reduced")
    func replayWithActions() {
        var link = LinkDriver()
        link.feed(.connect)
        link.welcome(start: Welcome.Start(id: "r", mode: .replay, states: [:]))
        for step in 1...4 {
            link.now = .seconds(step * 4)
            if step < 3 {
                link.say(.replay(Replay(id: "r", of: step, action: ["type": "add"])))
            } else {
                link.action(cause: ["push": "r", "of": .number(JSON.Number(step))])
            }
            link.feed(.timer(.replay))
        }
        #expect(link.link.lock == .replay && link.waits[.replay] == .seconds(21))
        link.ring(.replay)
        #expect(link.takeOrders().last.map { if case .endReplay = $0 { true } else { false } } == true)
    }

    @Test("A loop leaves a lock as it was, or as it became meanwhile")
    func loop() {
        let loop = Loop(id: "l", states: ["main": 1])
        var link = LinkDriver()
        link.live()
        _ = link.takeActions()
        link.say(.loop(loop))
        #expect(link.takeActions() == [.lock, .loop(loop)])
        #expect(link.waits[.replay] == .seconds(60))
        link.feed(.pushed(Pushed(id: "l", result: .played(seq: 0))))
        #expect(link.takeActions() == [.endLoop(isLocked: false)])
        link.say(.control(Control(locked: true)))
        link.say(.loop(Loop(id: "m", states: ["main": 1])))
        link.say(.control(Control(locked: false, queue: .replay)))
        link.feed(.pushed(Pushed(id: "m", result: .played(seq: 0))))
        #expect(link.takeActions().last == .endLoop(isLocked: true))
        // Nobody renews the lock during the loop.
        link.say(.loop(Loop(id: "n", states: ["main": 1])))
        link.ring(.lock)
        link.feed(.pushed(Pushed(id: "n", result: .played(seq: 0))))
        #expect(link.takeActions().last == .endLoop(isLocked: false))
        link.say(.loop(Loop(id: "p", states: ["main": 1])))
        link.say(.control(Control(locked: true)))
        link.feed(.pushed(Pushed(id: "p", result: .played(seq: 0))))
        #expect(link.takeActions().last == .endLoop(isLocked: true))
        link.say(.loop(Loop(id: "o", states: ["main": 1])))
        link.close(1006)
        #expect(link.takeActions().contains(.endLoop(isLocked: false)))
    }

    @Test("A renewal does not restore a lifted lock; a new lock after its end does")
    func lifted() {
        var link = live()
        link.say(.control(Control(locked: true)))
        link.feed(.lifted("it dispatches again"))
        link.say(.control(Control(locked: true)))
        #expect(link.takeOrders() == [.lock, .unlock(discards: false)])
        _ = link.take()
        link.say(.push(Push(id: "a", content: .action(["type": "add"]))))
        #expect(link.takeOrders() == [.play(Push(id: "a", content: .action(["type": "add"])))])
        link.say(.control(Control(locked: false)))
        link.say(.control(Control(locked: true)))
        link.feed(.lifted("again"))
        link.ring(.lock)
        link.say(.control(Control(locked: true)))
        #expect(link.takeOrders() == [.lock, .unlock(discards: false), .lock])
    }

    @Test("A replay into an app that can't be locked fails with the reason")
    func replayLifted() {
        var link = LinkDriver()
        link.feed(.connect)
        link.welcome(start: Welcome.Start(id: "r", mode: .replay, states: [:]))
        link.feed(.lifted("it dispatches again"))
        let failure = Pushed.Failure(code: .unsupported, message: "it dispatches again")
        #expect(link.takeOrders() == [.lock, .endReplay("r", failure)])
    }
}
