#if os(Linux)
    import Foundation
    import StateTape
    import TapeFormat
    import Testing

    @MainActor @Suite("The articles' code", .timeLimit(.minutes(1)), .serialized)
    final class ArticleTests {
        private let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("statetape-articles-\(UUID().uuidString)")
        private let tape: Recorder
        private var file: URL { folder.appendingPathComponent("articles.tape") }

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            tape = Recorder(.test(file: folder.appendingPathComponent("articles.tape").path))
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// The actions on the tape.
        private func actions() throws -> [EventLine] {
            tape.finish(timeout: .seconds(20))
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
                .map { try EventLine(parsing: Array($0.utf8)) }.filter { $0.kind == .action }
        }

        /// For each action the position of the one that caused it.
        private func causes(_ actions: [EventLine]) -> [Int?] {
            actions.map { action in
                action["cause"]?["seq"]?.int.flatMap { seq in actions.firstIndex { $0.seq == seq } }
            }
        }

        @Test("Redux: creators, scopes and a router work, and actions are on the tape")
        func redux() async throws {
            await reduxArticle(tape)
            #expect(try actions().count == 3)
        }

        @Test("Flux: a store waits for another one, and both are on the tape")
        func flux() throws {
            fluxArticle(tape)
            let actions = try actions()
            #expect(actions.map { $0["dispatch"]?.int } == [1, 2, 2])
            #expect(causes(actions) == [nil, nil, nil])
            #expect(actions.map(\.store) == ["cart", "cart", "orders"])
        }

        @Test("Self-reducing actions: an action and its result are on the tape")
        func selfReducing() async throws {
            await selfReducingArticle(tape)
            #expect(try causes(actions()) == [nil, 0])
        }

        @Test("Side effects: each style records its action, and then its result")
        func sideEffects() async throws {
            await SideEffectsArticle.mapped(tape)
            await SideEffectsArticle.executable(tape)
            await SideEffectsArticle.feedback(tape)
            await SideEffectsArticle.driver(tape)
            #expect(try causes(actions()) == [nil, 0, nil, 2, nil, 4, nil, 6])
        }

        @Test("Time travel: a history moves, skips, pauses and resumes; a recorded one, too")
        func history() throws {
            try historyArticle(tape, folder.appendingPathComponent("history.json"))
            #expect(try actions().count == 1)
        }

        @Test("Causes: an effect and a task name the action that started them")
        func causes() async throws {
            await causesArticle(tape)
            #expect(try causes(actions()) == [nil, 0, 1])
        }
    }
#endif
