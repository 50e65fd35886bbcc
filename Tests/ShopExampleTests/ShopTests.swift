import Foundation
import StateTape
import StateTapeStore
import StateTapeTesting
import TapeFormat
import Testing

@testable import ShopExample

/// The recorded visit, `Tapes/shop.tape`. After a change of the shop, record it again:
///
///     bash -c 'STATETAPE_FILE=shop.tape exec -a Shop .build/debug/shop-example'
@MainActor @Suite(.timeLimit(.minutes(1))) struct ShopTests {
    private static let tape = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Tapes/shop.tape")

    @Test("The shop still makes the recorded visit, line by line")
    func visit() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).tape")
        defer { try? FileManager.default.removeItem(at: file) }
        let recorder = Recorder(.init(url: "off", file: file.path))
        let app = ShopApp(recorder, pause: Pause(pace: 0))
        await Visit(app: app).run()
        // A store that is released is one more event.
        withExtendedLifetime(app) { #expect(recorder.finish(timeout: .seconds(20))) }
        let (made, kept) = (try Self.events(file), try Self.events(Self.tape))
        for (made, kept) in zip(made, kept) { #expect(made == kept) }
        #expect(made.count == kept.count)
    }

    /// The lines of the events, without what differs in each run.
    private static func events(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            String(line).replacing(/"(at|took)":[0-9.]+,?/, with: "")
        }
    }

    @Test("With the fix the coupon stays in the price", arguments: [(false, 8_050), (true, 6_440)])
    func paid(isFixed: Bool, cents: Int) async {
        let app = ShopApp(Recorder(.init(url: "off")), isFixed: isFixed, pause: Pause(pace: 0))
        await Visit(app: app).run()
        #expect(app.store.state.checkout.paidCents == cents)
    }

    @Test("The tape leads to the same states")
    func replay() {
        Replay("shop.tape").verify(ShopState.self, ShopAction.self, reducer: shopReducer(isFixed: false))
    }

    @Test("The mended reducer differs from the tape where the coupon was lost")
    func fixed() {
        withKnownIssue {
            Replay("shop.tape").verify(ShopState.self, ShopAction.self, reducer: shopReducer(isFixed: true))
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return text.contains("after event 121, “account/cartLoaded”") && text.contains("/cart/coupon")
        }
    }
}
