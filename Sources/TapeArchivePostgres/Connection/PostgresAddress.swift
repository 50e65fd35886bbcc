import CPostgres
package import TapeArchive

/// Where a PostgreSQL database is: a URL such as `postgres://user:password@host:5432/name?sslmode=verify-full`.
///
/// What the URL leaves out, libpq takes from its environment variables and files: `PGHOST`, `PGPASSFILE`, a service
/// file. The password is never part of `description`, nor of an error.
package struct PostgresAddress: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The whole URL, for libpq only.
    package let secret: String
    /// The URL without password and options.
    package let description: String
    /// Whether the URL contains a password.
    package let hasPassword: Bool

    package var debugDescription: String { description }
    /// `dump` and interpolation of a type that contains the address show only this.
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }

    private static let form = "“postgres://user@host:5432/name?option=value”"
    /// The limit of a URL in bytes.
    private static let most = 8 << 10

    /// - Throws: ``ServerError`` if it isn't a valid URL of a database. The text contains nothing of the password.
    package init(_ url: String) throws(ServerError) {
        guard Self.isAddress(url) else {
            throw ServerError(.database, "The database address must have the form \(Self.form).")
        }
        guard url.utf8.count <= Self.most else {
            throw ServerError(.database, "The database address has more than \(Self.most) bytes.")
        }
        guard url.unicodeScalars.allSatisfy({ $0.value > 32 && $0.value < 127 }) else {
            throw ServerError(
                .database, "The database address contains a blank or a letter outside ASCII: write it as %XX.")
        }
        // libpq would take what follows a “/” or the last “@” of a password for the host, and show it in errors.
        let rest = url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...]
        let marks = rest.indices.filter { rest[$0] == "@" }
        if let mark = marks.first, marks.count > 1 || rest[..<mark].contains("/") {
            throw ServerError(
                .database,
                "The database address contains “@” or “/” within a user name, a password or an option: write them as %40 and %2F."
            )
        }
        guard let options = Self.options(of: url) else {
            let reason = Self.problem(of: Self.withoutSecrets(url)) ?? "its user name or password is invalid"
            throw ServerError(
                .database, "The database address isn't valid: \(reason). Its form is \(Self.form).")
        }
        secret = url
        description = Self.describe(options)
        hasPassword = options["password"] != nil
    }

    /// Whether a text is meant as a database's address rather than as a folder.
    package static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
    }

    private static func describe(_ options: [String: String]) -> String {
        let user = options["user"].map { "\($0)@" } ?? ""
        let place = options["host"] ?? options["hostaddr"] ?? ""
        let port = options["port"].map { ":\($0)" } ?? ""
        let name = options["dbname"] ?? ""
        // The folder of a socket.
        if place.hasPrefix("/") { return "postgres://\(user)\(port)/\(name)?host=\(place)" }
        return "postgres://\(user)\(place.contains(":") ? "[\(place)]" : place)\(port)/\(name)"
    }

    /// The options of a URL as libpq reads them; nil if it can't.
    private static func options(of url: String) -> [String: String]? {
        guard let first = PQconninfoParse(url, nil) else { return nil }
        defer { PQconninfoFree(first) }
        var options: [String: String] = [:]
        var option = first
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return options
    }

    /// What libpq says about a URL; nil if it is valid.
    private static func problem(of url: String) -> String? {
        var message: UnsafeMutablePointer<CChar>?
        if let options = PQconninfoParse(url, &message) {
            PQconninfoFree(options)
            return nil
        }
        defer { PQfreemem(message) }
        return message.map { PostgresError.oneLine(String(cString: $0)) }
    }

    /// The URL without user name and password. The values of its options are left out too.
    private static func withoutSecrets(_ url: String) -> String {
        guard let start = url.firstRange(of: "://")?.upperBound else { return "" }
        let rest = url[start...]
        let place = rest.firstIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
        guard let question = place.firstIndex(of: "?") else { return "postgres://" + place }
        let names = place[place.index(after: question)...].split(separator: "&").map {
            $0.contains("=") ? $0.prefix { $0 != "=" } + "=" : $0
        }
        return "postgres://" + place[..<question] + "?" + names.joined(separator: "&")
    }
}
