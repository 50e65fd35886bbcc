import Foundation
import StateTape
import StateTapeStore
import Testing

@testable import WaysExample

@MainActor @Suite(.timeLimit(.minutes(1))) struct ExampleTests {
    private let recorder = Recorder(.init(url: "off"))

    @Test("The view receives each view model that differs, and the filter is in it")
    func annotations() {
        let app = AnnotationsApp(recorder)
        var titles: [String] = []
        var lines: [String] = []
        let view = app.provider.subscribe { (titles, lines) = (titles + [$0.title], $0.lines) }
        app.run()
        #expect(titles == ["0 of 0", "1 of 1", "2 of 2", "1 of 2"] && lines == ["- Nicely drawn."])
        view.cancel()
    }

    @Test("The stack shows the route, also after a step back and at the next launch")
    func search() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).history")
        defer { try? FileManager.default.removeItem(at: file) }
        var steps: [RouteStep<SearchScreen>] = []
        let app = try SearchApp(recorder, file: file) { steps.append($0) }
        app.store.dispatch(.search(text: "ap"))
        await app.reaches { !$0.isSearching }
        #expect(app.store.state.found == ["apple", "apricot", "grape"])
        app.store.dispatch(.open(item: "grape"))
        app.stepBack()
        #expect(steps == [.push(.query), .push(.results(of: "ap")), .push(.item(name: "grape")), .pop(1)])
        try app.save()

        steps = []
        let next = try SearchApp(recorder, file: file) { steps.append($0) }
        #expect(next.store.state == app.store.state)
        #expect(steps == [.push(.query), .push(.results(of: "ap"))])
        next.history.stepForward()
        #expect(next.store.state.route.last == .item(name: "grape"))
    }

    @Test("The store that waits has read the state after the action")
    func flux() {
        let app = FluxCounter(recorder)
        app.add(2)
        #expect(app.counter.count == 2 && app.record.state.highest == 2)
    }

    // Many times, because work that doesn't wait may still end in the right order.
    @Test("Of two pulls one loads, and the mark waits for it", arguments: 1...50)
    func pullToRefresh(_ time: Int) async {
        let app = FeedApp(recorder)
        var seen: [Feed] = []
        let view = app.store.subscribe { seen.append($0) }
        await app.run()
        // The first state, three actions, and the results of two.
        #expect(seen.count == 6)
        #expect(seen.first { !$0.read.isEmpty }?.items == ["Rain tomorrow", "Market opens"])
        view.cancel()
    }
}
