import Testing

@testable import TapeSockets

@Suite("Hosts without a proxy")
struct DirectHostTests {
    @Test(
        "This machine and private networks, in all forms of their addresses",
        arguments: [
            "localhost", "LOCALHOST", "localhost.", "a.localhost", "127.0.0.1", "127.255.0.9", "127.1", "2130706433",
            "0.0.0.0", "::1", "[::1]", "::", "::ffff:127.0.0.1", "10.0.0.1", "10.255.255.255", "172.16.0.1",
            "172.31.255.255", "192.168.1.7", "169.254.0.1", "::ffff:10.1.2.3", "fc00::1", "[fd12:3456::5]", "fe80::1",
            "febf::1",
        ])
    func direct(_ host: String) {
        #expect(DirectHost(host).isDirect)
    }

    @Test(
        "Others",
        arguments: [
            "example.com", "localhost.example.com", "127.0.0.1.example.com", "10.example.com", "9.255.255.255",
            "11.0.0.1",
            "172.15.255.255", "172.32.0.1", "192.167.0.1", "192.169.0.1", "169.253.0.1", "8.8.8.8", "2001:db8::1",
            "fec0::1", "::ffff:8.8.8.8", "fdd.example", "", ".",
        ])
    func others(_ host: String) {
        #expect(!DirectHost(host).isDirect)
    }

    @Test("The name for a request")
    func names() {
        for (host, name) in [
            ("localhost.", "localhost"), ("[::1]", "::1"), ("127.1", "127.0.0.1"),
            ("tapes.example.com", "tapes.example.com"),
        ] {
            #expect(DirectHost(host).name == name)
        }
    }
}
