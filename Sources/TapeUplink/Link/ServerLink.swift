package import Foundation
import TapeFormat

/// A link that names a server, as in the page's QR code: `APP-SCHEME://statetape?url=…&token=…`.
package struct ServerLink: Equatable, Sendable {
    /// The URL as the link has it.
    package let url: String
    package let token: String?

    package init(url: String, token: String?) {
        self.url = url
        self.token = token
    }

    /// Nil if the URL has another form.
    package init?(_ url: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: false),
            parts.host?.lowercased() == "statetape", parts.path.isEmpty || parts.path == "/"
        else {
            return nil
        }
        func item(_ name: String) -> String? {
            let value = parts.queryItems?.first { $0.name == name }?.value
            return value?.isEmpty == false ? value : nil
        }
        guard let server = item("url") else { return nil }
        self.init(url: server, token: item("token"))
    }

    /// Nil if the link's URL is not a server's. It never takes a token from code or environment: those are for other
    /// servers.
    package var address: Address? { Address(url, token: token) }
}

// MARK: Saving

extension ServerLink {
    /// - Returns: Nil if no link is saved.
    /// - Throws: `FileFailure` or `FormatError`.
    package static func read(_ place: URL) throws -> ServerLink? {
        guard FileManager.default.fileExists(atPath: place.path) else { return nil }
        let json = try JSON(parsing: Data(contentsOf: place))
        guard let url = json["url"]?.string else { throw FormatError("it has no url") }
        return ServerLink(url: url, token: json["token"]?.string)
    }

    /// Writes a file that only its owner can read, and replaces the last one.
    package func save(_ place: URL) throws {
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let members = [("url", JSON.string(url))] + (token.map { [("token", JSON.string($0))] } ?? [])
        let new = place.appendingPathExtension(UUID().uuidString)
        try OpenFile(new, O_WRONLY | O_CREAT | O_EXCL).write(JSON.object(JSON.Object(members)).bytes)
        guard rename(new.path, place.path) == 0 else {
            let failure = FileFailure(place)
            unlink(new.path)
            throw failure
        }
    }

    package static func forget(_ place: URL) throws(FileFailure) {
        guard unlink(place.path) == 0 || errno == ENOENT else { throw FileFailure(place) }
    }
}

// MARK: The question

extension Address {
    /// The server as a person knows it: without path, user name, and all else that could look like another host.
    package var server: String {
        guard let whole = URLComponents(string: url) else { return url }
        var parts = URLComponents()
        parts.scheme = whole.scheme == "wss" ? "https" : "http"
        parts.percentEncodedHost = whole.percentEncodedHost
        parts.port = whole.port
        return parts.string ?? url
    }

    /// The question for the app's user before the app connects.
    package var question: String {
        let plain =
            isEncrypted || isLoopback ? "" : " The connection is not encrypted: others on the network can read it."
        return """
            Connect to the StateTape server \(server)? It is sent everything that this app does, and can change what the \
            app shows.\(plain)
            """
    }
}
