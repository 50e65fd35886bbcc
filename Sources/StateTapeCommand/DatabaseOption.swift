#if Server
    import ArgumentParser
    import Foundation
    import StateTapeServer

    /// The option of the commands that can use an archive in a database.
    struct DatabaseOption: ParsableArguments {
        static let variable = "STATETAPE_DATABASE"

        @Option(
            help: ArgumentHelp(
                "Keep sessions in this PostgreSQL database instead of the data folder, such as"
                    + " postgres://user@host/name?sslmode=verify-full (default: STATETAPE_DATABASE, if it is set). Other"
                    + " users of the machine see this option, so the password must be elsewhere: in STATETAPE_DATABASE,"
                    + " PGPASSWORD or the file in PGPASSFILE.",
                valueName: "url"))
        var database: String?

        func validate() throws {
            guard let database else { return }
            let address = try Self.address(database)
            guard !address.hasPassword else {
                throw ValidationError(
                    "Other users of this machine see a password in --database. Set \(Self.variable) to the whole URL, or"
                        + " PGPASSWORD to the password.")
            }
        }

        /// The database; nil if there is none.
        func address() throws -> DatabaseAddress? {
            if let database { return try Self.address(database) }
            guard let kept = ProcessInfo.processInfo.environment[Self.variable], !kept.isEmpty else { return nil }
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
#endif
