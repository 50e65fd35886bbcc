import Foundation
import Logging
import TapeFormat

@testable import StateTapeServer
@testable import TapeArchivePostgres

/// A PostgreSQL server for tests, in a temporary folder, on a Unix socket only. A shell watches over it: it stops the
/// server and deletes the folder when this object is deallocated, or when the test process ends in any way.
final class PrivatePostgres: Sendable {
    /// The server that tests share. Started at its first use.
    static let shared = Result { try PrivatePostgres() }

    let folder: String
    private let commands: FileHandle
    private let answers: FileHandle
    private let databases = Locked(0)

    /// Starts a server.
    ///
    /// - Parameter settings: Further lines of its configuration.
    init(settings: [String] = []) throws {
        let account = Account.current
        // A socket's path has at most 107 bytes.
        let folder = "/tmp/stp-\(UUID().uuidString.prefix(8).lowercased())"
        self.folder = folder
        guard mkdir(folder, 0o700) == 0, account.map({ chown(folder, $0.user, $0.group) == 0 }) ?? true else {
            throw Failure("the folder \(folder) can't be created")
        }
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        // No other process that a test starts may keep the shell waiting.
        for end in [input.fileHandleForWriting, output.fileHandleForReading] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            (account?.command ?? [])
            + ["sh", "-c", Self.script, "sh", try Self.programs(), folder, settings.joined(separator: "\n")]
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        commands = input.fileHandleForWriting
        answers = output.fileHandleForReading
        try expectDone()
    }

    deinit {
        try? commands.close()
    }

    /// The address of a new, empty database.
    func makeDatabase(user: String = "tester") throws -> String {
        let name = databases.withLock { count in
            count += 1
            return "test\(count)"
        }
        try run("CREATE DATABASE \(name)")
        return address(name, user: user)
    }

    /// The address of a new, empty schema, which takes far less room than a database.
    func makeSchema() throws -> String {
        let name = databases.withLock { count in
            count += 1
            return "test\(count)"
        }
        return address("postgres") + "&options=-csearch_path%3D\(name)"
    }

    func address(_ database: String, user: String = "tester") -> String {
        "postgres://\(user)@/\(database)?host=\(folder)"
    }

    /// Runs SQL as a superuser.
    func run(_ sql: String, in database: String = "postgres") throws {
        let connection = try PostgresConnection(PostgresAddress(address(database)), logger: Self.logger)
        try connection.runScript(sql)
    }

    /// Ends the server as in a crash.
    func crash() throws { try tell("crash") }
    func start() throws { try tell("start") }

    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func tell(_ command: String) throws {
        try commands.write(contentsOf: Data("\(command)\n".utf8))
        try expectDone()
    }

    /// Waits for the shell's answer.
    private func expectDone() throws {
        var text = ""
        while !text.hasSuffix("done\n") {
            let more = answers.availableData
            guard !more.isEmpty else { throw Failure("PostgreSQL doesn't start: \(text)") }
            text += String(decoding: more, as: UTF8.self)
        }
    }

    /// The folder of `initdb` and `pg_ctl`.
    private static func programs() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap(Int.init)
        let folders = versions.sorted(by: >).map { "\(root)/\($0)/bin" } + ["/usr/local/bin", "/opt/homebrew/bin"]
        guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") })
        else { throw Failure("PostgreSQL isn't installed: “Tests/run --install” installs it") }
        return folder
    }

    private static let script = """
        programs=$1; folder=$2
        {
            "$programs/initdb" -D "$folder/data" -U tester -A trust -E UTF8 --locale=C.UTF-8 --no-sync > "$folder/log" 2>&1 &&
            printf 'local all locked scram-sha-256\\nlocal all all trust\\n' > "$folder/data/pg_hba.conf" &&
            printf '%s\\n' "listen_addresses = ''" "unix_socket_directories = '$folder'" "fsync = off" \\
                "max_connections = 200" "log_checkpoints = off" "$3" >> "$folder/data/postgresql.conf" &&
            "$programs/pg_ctl" -D "$folder/data" -s -w -l "$folder/log" start &&
            echo done
        } || { cat "$folder/log"; rm -rf "$folder"; exit 1; }
        while read -r command; do
            case $command in
            crash) "$programs/pg_ctl" -D "$folder/data" -s -m immediate stop ;;
            start) "$programs/pg_ctl" -D "$folder/data" -s -w -l "$folder/log" start ;;
            esac
            echo done
        done
        "$programs/pg_ctl" -D "$folder/data" -s -m immediate stop
        rm -rf "$folder"
        """

    /// The account that the server runs in: PostgreSQL refuses to run as root.
    private struct Account {
        let user: uid_t
        let group: gid_t
        var command: [String] { ["setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups"] }

        /// Nil if the tests don't run as root.
        static var current: Account? {
            guard getuid() == 0 else { return nil }
            for name in ["postgres", "nobody"] {
                if let found = getpwnam(name) {
                    return Account(user: found.pointee.pw_uid, group: found.pointee.pw_gid)
                }
            }
            return nil
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }
}
