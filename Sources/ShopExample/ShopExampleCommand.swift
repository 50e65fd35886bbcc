import ArgumentParser
import StateTape
import StateTapeStore

/// A shop with a bug, and a visit in which it costs a customer €16.10.
@main
struct ShopExampleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shop-example", abstract: "A shop that forgets a coupon, and a visit that shows it.",
        discussion: "Set STATETAPE_URL or STATETAPE_FILE to record it.")

    @Option(help: "How long the visitor and the network take: 1 is the speed of a person, 0 doesn't wait.")
    var pace = 1.0

    @Flag(help: "Mend the bug.")
    var fixed = false

    @MainActor func run() async throws {
        let recorder = Recorder(.init(allowRelease: true))
        let app = ShopApp(recorder, isFixed: fixed, pause: Pause(pace: pace))
        await Visit(app: app).run()
        print("paid: \(app.store.state.checkout.paidCents ?? 0) cents")
        recorder.finish()
    }
}
