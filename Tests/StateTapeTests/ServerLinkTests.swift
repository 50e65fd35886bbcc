import Foundation
import TapeFormat
import Testing

@testable import StateCapture
@testable import StateTape
@testable import TapeUplink

@Suite("A link that names a server")
struct ServerLinkTests {
    /// A folder that is deleted with the test.
    private final class Place: Sendable {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        var link: URL { folder.appendingPathComponent("links/app") }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    private func link(_ text: String) throws -> ServerLink? { ServerLink(try #require(URL(string: text))) }

    @Test("It is parsed, escaped or not")
    func form() throws {
        let plain = try link("todo://statetape?url=http://192.168.1.7:8080/&token=a%2Fb")
        #expect(plain == ServerLink(url: "http://192.168.1.7:8080/", token: "a/b"))
        let escaped = try link("com.example.todo://StateTape/?url=https%3A%2F%2Fhost%2F%23token%3Dt")
        #expect(escaped == ServerLink(url: "https://host/#token=t", token: nil))
        #expect(escaped?.address == Address("https://host/", token: "t"))
        #expect(try link("todo://statetape?url=http://h:1/&token=")?.token == nil)
    }

    @Test(
        "Every other URL is no link",
        arguments: [
            "todo://settings?url=http://h:1/", "todo://statetape/settings?url=http://h:1/", "todo://statetape",
            "todo://statetape?url=", "todo://statetape?token=t", "todo:statetape?url=http://h:1/",
            "https://example.com/statetape?url=http://h:1/",
        ])
    func others(_ text: String) throws {
        #expect(try link(text) == nil)
    }

    @Test("It is saved for its owner only, replaces the last one, and can be deleted")
    func saved() throws {
        let place = Place()
        #expect(try ServerLink.read(place.link) == nil)
        try ServerLink(url: "http://a:1/", token: "first").save(place.link)
        let second = ServerLink(url: "http://b:1/", token: nil)
        try second.save(place.link)
        #expect(try ServerLink.read(place.link) == second)
        let attributes = try FileManager.default.attributesOfItem(atPath: place.link.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.link.deletingLastPathComponent().path).count == 1)
        try ServerLink.forget(place.link)
        try ServerLink.forget(place.link)
        #expect(try ServerLink.read(place.link) == nil)
    }

    @Test("An unwritable folder or a file with other contents is an error, not a link")
    func unusable() throws {
        let link = ServerLink(url: "http://a:1/", token: nil)
        #expect(throws: (any Error).self) { try link.save(URL(fileURLWithPath: "/dev/null/links/app")) }
        let place = Place()
        try link.save(place.link)
        for text in ["", "{}", "{\"url\":1}"] {
            try Data(text.utf8).write(to: place.link)
            #expect(throws: FormatError.self) { try ServerLink.read(place.link) }
        }
    }

    @Test(
        "The question names the server and says if the connection is unencrypted",
        arguments: [
            ("http://192.168.1.7:8080/", "http://192.168.1.7:8080", true),
            ("http://mac.local:8080/#token=t", "http://mac.local:8080", true),
            ("http://localhost@evil.example:80/", "http://evil.example:80", true),
            ("http://127.0.0.1.evil.example/", "http://127.0.0.1.evil.example", true),
            ("http://127/", "http://127", true),
            ("https://host/", "https://host", false), ("http://localhost:8080/", "http://localhost:8080", false),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080", false), ("http://[::1]:1/", "http://[::1]:1", false),
        ])
    func question(_ url: String, _ server: String, _ isPlain: Bool) throws {
        let address = try #require(Address(url))
        #expect(address.question.contains("server \(server)?"))
        #expect(address.question.contains("not encrypted") == isPlain)
    }
}
