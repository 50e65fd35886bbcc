package import TapeFormat

/// The server that a session is recorded for. Only this server gets what a dead process left on disk.
package struct SessionServer: Equatable, Sendable {
    /// The address as ``Address/key`` has it; nil if an older version of the recorder made the session.
    package var address: String?
    /// The id of the server's archive; nil until the server or its address has named it.
    package var archive: String?
    /// Whether the server belongs to one command, such as `statetape run`.
    package var isPrivate = false
    /// Whether the server has welcomed the session, so that it may have its first events.
    package var isWelcomed = false
    /// The session's first event that no other archive has.
    package var first = 0

    package init(
        address: String? = nil, archive: String? = nil, isPrivate: Bool = false, isWelcomed: Bool = false,
        first: Int = 0
    ) {
        (self.address, self.archive, self.isPrivate, self.isWelcomed) = (address, archive, isPrivate, isWelcomed)
        self.first = first
    }

    /// Whether this server, which has welcomed the app, gets a session that was recorded for another launch's server.
    ///
    /// A known archive decides, whatever its address is now. Without one, the address decides; but a private server's port
    /// is one that any server may have had before.
    func takes(_ left: SessionServer) -> Bool {
        if let archive = left.archive { return archive == self.archive }
        guard !isPrivate else { return false }
        return left.address == nil || left.address == address
    }

    /// What a person knows the server by.
    package var name: String {
        guard !isPrivate else { return "a private server (run, demo or ci)" }
        return address?.replacingPrefix("ws", with: "http") ?? "an unknown server"
    }
}

extension SessionServer {
    /// The server at an address, before it answers. Only a private server's address names the archive.
    package init(_ address: Address) {
        self.init(address: address.key, archive: address.archive, isPrivate: address.archive != nil)
    }
}

// MARK: On disk

extension SessionServer {
    package init(_ json: JSON) {
        address = json["address"]?.string
        archive = json["archive"]?.string
        isPrivate = json["private"]?.bool ?? false
        isWelcomed = json["welcomed"]?.bool ?? false
        first = json["first"]?.int ?? 0
    }

    var json: JSON {
        let members: [(String, JSON?)] = [
            ("address", address.map(JSON.string)), ("archive", archive.map(JSON.string)),
            ("private", isPrivate ? true : nil), ("welcomed", isWelcomed ? true : nil),
            ("first", first > 0 ? .number(JSON.Number(first)) : nil),
        ]
        return .object(JSON.Object(members.compactMap { name, value in value.map { (name, $0) } }))
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String, with other: String) -> String {
        hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
    }
}
