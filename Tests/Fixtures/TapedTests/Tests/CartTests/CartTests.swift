import StateTape
import StateTapeTesting
import Testing
import XCTest

/// Twenty tests side by side, of which two fail.
@Suite(.taped) struct CartTests {
    @Test(arguments: 0..<16) func adds(_ number: Int) {
        let store = makeStore(number.isMultiple(of: 2) ? Tape.current : Recorder())
        for item in 0...number { store.dispatch(.add("\(number)-\(item)")) }
        #expect(store.state.count == number + 1)
    }

    @Test func clears() {
        let store = makeStore(Tape.current)
        store.dispatch(.add("soap"))
        store.dispatch(.clear)
        #expect(store.state == Cart())
    }

    @Test func knownFault() {
        let store = makeStore(Tape.current)
        store.dispatch(.add("soap"))
        withKnownIssue { #expect(store.state.count == 2) }
    }

    @Test func countsOnce() {
        let store = makeStore(Tape.current)
        store.dispatch(.add("first"))
        #expect(store.state.count == 2, "the cart counts twice")
        store.dispatch(.add("second"))
    }

    @Test func staysEmpty() async throws {
        struct Broken: Error {}
        let store = makeStore(Recorder())
        store.dispatch(.add("lost"))
        await Task.yield()
        throw Broken()
    }
}

/// Two tests of XCTest, of which one fails.
final class CartCases: TapedTestCase {
    func testAdds() {
        let store = makeStore(Tape.current)
        store.dispatch(.add("soap"))
        XCTAssertEqual(store.state.count, 1)
    }

    func testCounts() async {
        let store = makeStore(Tape.current)
        store.dispatch(.add("bread"))
        XCTAssertEqual(store.state.count, 3)
    }
}

/// Without the trait there is no test's recorder.
@Test func untaped() {
    #expect(!Tape.current.isOn)
}
