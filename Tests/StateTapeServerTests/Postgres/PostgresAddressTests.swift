import Foundation
import Testing

@testable import StateTapeServer
@testable import TapeArchive
@testable import TapeArchivePostgres

@Suite struct PostgresAddressTests {
    @Test(
        "An address is shown without its password and options",
        arguments: [
            ("postgres://ana:SECRET@db.example.com:5433/tapes", "postgres://ana@db.example.com:5433/tapes"),
            ("postgresql://db/tapes?user=ana&password=SECRET", "postgres://ana@db/tapes"),
            ("postgres://ana:SECRET@[::1]/tapes?sslmode=require", "postgres://ana@[::1]/tapes"),
            ("postgres://ana:SEC%40RET@one:1,two:2/tapes", "postgres://ana@one,two:1,2/tapes"),
            ("postgres://ana:SECRET@/tapes?host=/run/db&sslpassword=SECRET", "postgres://ana@/tapes?host=/run/db"),
        ])
    func description(url: String, shown: String) throws {
        let address = try PostgresAddress(url)
        #expect(address.description == shown)
        var dumped = ""
        dump(address, to: &dumped)
        for text in [
            "\(address)", String(reflecting: address), dumped, "\(Optional(address) as Any)", "\([address])",
        ] {
            #expect(!text.contains("SEC"))
        }
    }

    @Test(
        "An invalid address is refused with a sentence that shows nothing of the password",
        arguments: [
            "postgres://ana:SEC@RET@db/tapes", "postgres://ana:SEC/RET@db/tapes", "postgres://ana:SEC RET@db/tapes",
            "postgres://ana:SEC%zzRET@db/tapes", "postgres://ana:SECRET@db:RET/tapes?x=SEC",
            "postgres://SECRET@[/x",
            "postgres://ana:SECRET@db/tapes?password", "postgres://ana:SECRET@db/t?password=SEC&unknown=RET",
            "postgres://ana:SECRET@db/t?password==SEC&=RET", "postgres://ana:SÉCRET@db/t", "postgres://SECRET\0@db",
            "http://ana:SECRET@db", "SECRET", "", "postgres:ana:SECRET@db",
            "postgres://ana:" + String(repeating: "SECRET", count: 2_000) + "@db",
        ])
    func invalid(url: String) {
        let error = #expect(throws: ServerError.self) { try PostgresAddress(url) }
        #expect(error?.code == .database && error?.description.hasPrefix("The ") == true)
        #expect(error?.description.contains("SEC") == false, "\(error as Any)")
        // “:RET” is where a port should be, and names the place of the error.
        if !url.contains(":RET/") { #expect(error?.description.contains("RET") == false, "\(error as Any)") }
    }

    @Test("The errors of a connection that fails contain no password")
    func failing() throws {
        let server = try PrivatePostgres.shared.get()
        let socket = "?host=\(server.folder)"
        for url in [
            "postgres://locked:SECRET@/postgres\(socket)", "postgres://tester:SECRET@/nothing\(socket)",
            "postgres://tester:SECRET@/locked\(socket)", "postgres://nobody:SECRET@/postgres\(socket)",
            "postgres://tester:SECRET@127.0.0.1:1/postgres", "postgres://tester:SECRET@name.invalid/postgres",
            "postgres://tester:SECRET@/postgres\(socket)&sslmode=SECRET",
            "postgres://tester:SECRET@/postgres\(socket)&options=-cSECRET%3D1",
            "postgres://tester:SECRET@/postgres\(socket)&sslcert=/none&sslpassword=SECRET&service=none",
        ] {
            guard let address = try? PostgresAddress(url) else { continue }
            let error = #expect(throws: ServerError.self, "\(address)") {
                try PostgresArchive(address, sync: .full, logger: PrivatePostgres.logger)
            }
            // The values of options are no passwords, and libpq names them.
            if !url.contains("=SECRET") && !url.contains("-cSECRET") {
                #expect(error?.description.contains("SECRET") == false, "\(error as Any)")
            }
            #expect(error?.description.contains("\(address)") == true && error?.code == .archive)
            #expect(error?.description.contains("\n") == false)
        }
    }

    @Test("The first name of a search path is the archive's schema")
    func schema() {
        #expect(PostgresSession.first(of: "one, two") == "one")
        #expect(PostgresSession.first(of: "\"A, \"\"b\"\"\",two") == "\"A, \"\"b\"\"\"")
        #expect(PostgresSession.first(of: "") == nil && PostgresSession.first(of: "\"open") == nil)
    }
}
