import ArgumentParser
import Foundation
import StateTapeServer
import TapeArchive

/// The option of the commands that can use an archive in a database.
struct DatabaseOption: ParsableArguments {
    static let variable = "STATETAPE_DATABASE"

    @Option(
        help: ArgumentHelp(
            "Keep sessions in this PostgreSQL database instead of the data folder, such as"
                + " postgres://user@host/name?sslmode=verify-full (default: STATETAPE_DATABASE, if it is set). Other"
                + " users of the machine see this option, so put the password elsewhere: in STATETAPE_DATABASE,"
                + " PGPASSWORD or the file in PGPASSFILE.",
            valueName: "url"))
    var database: String?

    func validate() throws { try Self.validate(database) }

    /// - Throws: `ValidationError` if it isn't the URL of a database, or has a password.
    static func validate(_ database: String?) throws {
        guard let database else { return }
        let address = try address(database)
        guard !address.hasPassword else {
            throw ValidationError(
                "Other users of this machine see a password in --database. Set \(variable) to the whole URL, or"
                    + " PGPASSWORD to the password.")
        }
    }

    /// The database; nil if there is none.
    func address() throws -> DatabaseAddress? { try Self.named(database) }

    /// The database that an option or the environment names; nil if none does.
    static func named(_ database: String?) throws -> DatabaseAddress? {
        if let database { return try address(database) }
        guard let kept = ProcessInfo.processInfo.environment[variable], !kept.isEmpty else { return nil }
        return try DatabaseAddress(kept)
    }

    private static func address(_ url: String) throws -> DatabaseAddress {
        do {
            return try DatabaseAddress(url)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
