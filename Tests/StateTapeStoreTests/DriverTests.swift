import StateTapeStore
import Testing

@Suite("Drivers", .timeLimit(.minutes(1)))
struct DriverTests {
    private let scene = Scene()
    private let lock = TestLock()
    private let store: Store<Counter, CounterAction>

    init() {
        store = Store(initial: Counter(), reducer: count, isolation: nil).gated(lock.isHeld, onOpen: lock.onOpen)
    }

    /// Work for each number in the state's name: `ab` wants `a` and `b`.
    private func driver() -> Driver<Character> {
        let scene = scene
        return Driver(
            of: store, wants: { Set($0.name) },
            run: { request, dispatch in
                scene.story("begin \(request)")
                do {
                    try await scene.clock.sleep(for: .seconds(1))
                } catch {
                    return scene.story("cancel \(request)")
                }
                await dispatch(.add(1))
                scene.story("end \(request)")
            })
    }

    @Test("Work follows the state: what is no longer wanted is cancelled, new work begins, the rest goes on")
    func follows() async {
        store.dispatch(.rename("ab"))
        let driver = driver()
        await scene.clock.sleeping(2)
        store.dispatch(.rename("bc"))
        await scene.story.told("cancel a")
        await scene.story.told("begin c")
        await scene.clock.sleeping(2)
        scene.clock.advance(by: .seconds(1))
        await state(of: store) { $0.count == 2 }
        #expect(scene.story.lines.filter { $0 == "begin b" }.count == 1)
        withExtendedLifetime(driver) {}
    }

    @Test("Work that has finished begins again only after the state stopped asking for it")
    func finished() async {
        let driver = driver()
        store.dispatch(.rename("a"))
        await scene.clock.sleeping(1)
        scene.clock.advance(by: .seconds(1))
        await scene.story.told("end a")
        store.dispatch(.rename("ab"))
        await scene.story.told("begin b")
        store.dispatch(.rename("b"))
        store.dispatch(.rename("ab"))
        await scene.clock.sleeping(2)
        #expect(scene.story.lines == ["begin a", "end a", "begin b", "begin a"])
        withExtendedLifetime(driver) {}
    }

    @Test("A state that is applied from elsewhere has the right work")
    func replaced() async {
        let driver = driver()
        store.replace(Counter(name: "x"))
        await scene.clock.sleeping(1)
        store.replace(Counter())
        await scene.story.told("cancel x")
        withExtendedLifetime(driver) {}
    }

    @Test("During a lock nothing begins and nothing is cancelled; afterwards the driver does what the state asks for")
    func locked() async {
        let driver = driver()
        store.dispatch(.rename("ab"))
        await scene.clock.sleeping(2)
        lock.begin()
        for name in ["", "xyz", "b", "bc"] { store.replace(Counter(name: name)) }
        #expect(Set(scene.story.lines) == ["begin a", "begin b"])
        lock.end()
        await scene.story.told("cancel a")
        await scene.story.told("begin c")
        await scene.clock.sleeping(2)
        #expect(scene.story.lines.count == 4)
        withExtendedLifetime(driver) {}
    }

    @Test("Work that finished during a lock begins again if its result was discarded, and doesn't if it was dispatched")
    func finishedDuringLock() async {
        let driver = driver()
        store.dispatch(.rename("ab"))
        await scene.clock.sleeping(2)
        lock.begin()
        scene.clock.advance(by: .seconds(1))
        await scene.story.told("end a")
        await scene.story.told("end b")
        // The results are in the queue, of which one is discarded. The states in between start nothing.
        lock.end {
            store.dispatch(.rename("abx"))
            store.dispatch(.rename("b"))
        }
        await scene.clock.sleeping(1)
        #expect(scene.story.lines.suffix(1) == ["begin b"])
        #expect(scene.story.lines.count == 5)
        withExtendedLifetime(driver) {}
    }

    @Test("Work whose result came during a lock, and which ends later, begins again if the result was discarded")
    func endedAfterLock() async {
        let scene = scene
        let driver = Driver(
            of: store, wants: { Set($0.name) },
            run: { request, dispatch in
                scene.story("begin \(request)")
                try? await scene.clock.sleep(for: .seconds(1))
                await dispatch(.add(1))
                scene.story("result \(request)")
                try? await scene.clock.sleep(for: .seconds(1))
            })
        store.dispatch(.rename("a"))
        await scene.clock.sleeping(1)
        lock.begin()
        scene.clock.advance(by: .seconds(1))
        await scene.story.told("result a")
        await scene.clock.sleeping(1)
        lock.end()
        scene.clock.advance(by: .seconds(1))
        await scene.clock.sleeping(1)
        #expect(scene.story.lines == ["begin a", "result a", "begin a"])
        withExtendedLifetime(driver) {}
    }

    @Test("A driver without a report of the lock's end stands still until it is resumed")
    func resumed() async {
        let scene = scene
        let store = Store(initial: Counter(), reducer: count, isolation: nil).gated(lock.isHeld)
        let driver = Driver(
            of: store, wants: { Set($0.name) }, run: { request, _ in scene.story("\(request)") })
        lock.begin()
        store.replace(Counter(name: "a"))
        driver.resume()
        lock.end()
        driver.resume()
        await scene.story.told("a")
        #expect(scene.story.lines == ["a"])
    }

    @Test("The release of a driver cancels its work")
    func release() async {
        do {
            let driver = driver()
            store.dispatch(.rename("a"))
            await scene.clock.sleeping(1)
            withExtendedLifetime(driver) {}
        }
        await scene.story.told("cancel a")
        store.dispatch(.rename("b"))
        #expect(scene.story.lines == ["begin a", "cancel a"])
    }

    @Test("The release of a store cancels the work of its drivers, which do nothing afterwards")
    func releaseOfStore() async {
        let scene = scene
        weak var gone: Store<Counter, CounterAction>?
        let driver: Driver<Character>
        do {
            let store = Store(initial: Counter(name: "a"), reducer: count, isolation: nil)
            driver = Driver(
                of: store, wants: { Set($0.name) },
                run: { request, dispatch in
                    try? await scene.clock.sleep(for: .seconds(1))
                    scene.story("cancelled \(Task.isCancelled)")
                    await dispatch(.add(1))
                })
            gone = store
            await scene.clock.sleeping(1)
        }
        await scene.story.told("cancelled true")
        #expect(gone == nil)
        driver.resume()
    }

    @MainActor @Test("Work inherits task-local values of the dispatch, and dispatches on the actor of the store")
    func isolation() async {
        let story = scene.story
        let store = Store<Counter, CounterAction>(
            initial: Counter(),
            reducer: { state, action in
                MainActor.preconditionIsolated()
                count(&state, action)
            })
        let driver = Driver(
            of: store, wants: { Set($0.name) },
            run: { request, dispatch in
                story("\(request) \(Origin.name) \(isOnMain())")
                await dispatch(.add(1))
            })
        Origin.$name.withValue("here") { store.dispatch(.rename("a")) }
        await story.told("a here false")
        await state(of: store) { $0.count == 1 }
        withExtendedLifetime(driver) {}
    }

    @Test("States and locks from many threads leave the work that the last state asks for")
    func threads() async {
        for _ in 0..<200 {
            let (running, lock) = (Seen<String>(), TestLock())
            let store = Store(initial: Counter(), reducer: count, isolation: nil)
                .gated(lock.isHeld, onOpen: lock.onOpen)
            let clock = ManualClock()
            let driver = Driver(
                of: store, wants: { Set($0.name) },
                run: { request, _ in
                    if (try? await clock.sleep(for: .seconds(1))) != nil { running("\(request)") }
                })
            onThreads([
                { for number in 0..<50 { store.dispatch(.rename("ab\(number)")) } },
                { for number in 0..<50 { store.replace(Counter(name: "bc\(number)")) } },
                {
                    for _ in 0..<20 {
                        lock.begin()
                        lock.end()
                    }
                },
                { for _ in 0..<50 { driver.resume() } },
            ])
            store.dispatch(.rename("xyz"))
            await clock.sleeping(3)
            clock.advance(by: .seconds(1))
            await until { running.values.count == 3 }
            #expect(Set(running.values) == ["x", "y", "z"])
        }
    }
}

private enum Origin {
    @TaskLocal static var name = "nowhere"
}

/// A lock as a recorder has it.
private final class TestLock: Sendable {
    private let held = Box<Bool>()
    private let bodies = Seen<@Sendable () -> Void>()

    var isHeld: @Sendable () -> Bool { { [held] in held.value ?? false } }
    var onOpen: @Sendable (@escaping @Sendable () -> Void) -> Void { { [bodies] in bodies($0) } }

    func begin() { held.value = true }

    /// Ends the lock, and runs the queue.
    func end(_ queue: () -> Void = {}) {
        held.value = false
        queue()
        for body in bodies.values { body() }
    }
}
