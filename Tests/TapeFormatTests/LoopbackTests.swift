import TapeFormat
import Testing

@Suite("Hosts that only this machine reaches")
struct LoopbackTests {
    @Test(
        "Addresses of the loopback network in every way to write them",
        arguments: ["127.0.0.1", "127.1.2.3", "::1", "[::1]", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "[::ffff:7f00:1]"])
    func addresses(_ text: String) {
        #expect(Loopback.isAddress(text) && Loopback.isHost(text))
    }

    @Test("Names that are reserved", arguments: ["localhost", "LocalHost", "shop.localhost"])
    func names(_ text: String) {
        #expect(!Loopback.isAddress(text) && Loopback.isHost(text))
    }

    @Test(
        "Others, some of which look like one",
        arguments: [
            "", "128.0.0.1", "127.0.0.1.nip.io", "127.example.org", "127.1", "0127.0.0.1", "::", "::2", "1::1",
            "::ffff:128.0.0.1", "::7f00:1", "localhost.example.org", "notlocalhost",
        ])
    func others(_ text: String) {
        #expect(!Loopback.isHost(text))
    }
}
