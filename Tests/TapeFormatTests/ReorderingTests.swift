import Testing

@testable import TapeFormat

@Suite("Steps that reorder an array")
struct ReorderingTests {
    private func applied(_ steps: Reordering, origins: [Int?], oldCount: Int) -> [Int?] {
        var order: [Int?] = (0..<oldCount).map { $0 }
        for index in steps.removals { order.remove(at: index) }
        for move in steps.moves { order.insert(order.remove(at: move.from), at: move.to) }
        for index in steps.additions { order.insert(nil, at: index) }
        return order
    }

    @Test("The steps lead to the new order after removals, moves and additions")
    func property() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let count = Int.random(in: 0..<12, using: &random)
            var origins: [Int?] = (0..<count).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            if Bool.random(using: &random) { origins.shuffle(using: &random) }
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                origins.insert(nil, at: Int.random(in: 0...origins.count, using: &random))
            }
            let steps = Reordering(origins: origins, oldCount: count)
            #expect(steps.map { applied($0, origins: origins, oldCount: count) } == origins)
        }
    }

    @Test("An element that moves from one end to the other is one move, in both directions")
    func single() {
        let toEnd = Reordering(origins: [1, 2, 3, 0], oldCount: 4)
        #expect(toEnd?.moves == [.init(from: 0, to: 3)])
        let toFront = Reordering(origins: [3, 0, 1, 2], oldCount: 4)
        #expect(toFront?.moves == [.init(from: 3, to: 0)])
    }

    @Test("There is no result for more moves than the maximum")
    func shuffle() {
        #expect(Reordering(origins: (0..<100).reversed(), oldCount: 100) == nil)
    }
}
