import ArgumentParser
import Foundation
import StateTape
import StateTapeServer
import TapeFormat
import TapeUplink
import Testing

@testable import StateTapeCommand
@testable import TapeArchive

@Suite("The defaults in the help texts", .timeLimit(.minutes(1)))
struct HelpDefaultTests {
    private static let server = "STATETAPE_URL, then http://127.0.0.1:8080"
    private static let token = "the token in --server, then STATETAPE_TOKEN, then the token in STATETAPE_URL"
    private static let files =
        "NAME.tape, NAME.redux.json, NAME.html or NAME.swift in this folder, after the session's id or the file's"
        + " name; fails if it exists"

    /// What the commands do, by the option.
    private static let serve: [String: String] = {
        let configuration = Configuration(data: URL(fileURLWithPath: "."))
        let limits = configuration.limits
        return [
            "listen": "\(configuration.host):\(configuration.port)", "data": "./statetape-data",
            "web": "the built-in page", "sync": configuration.sync.rawValue,
            "database": "STATETAPE_DATABASE, if it is set", "max-line": "\(limits.line >> 20) MiB",
            "max-state": "\(limits.state >> 20) MiB", "max-upload": "\(limits.upload >> 30) GiB",
            "max-apps": "\(limits.apps)", "max-viewers": "\(limits.viewers)",
            "max-connections-per-address": "\(limits.connectionsPerAddress)",
        ]
    }()

    /// The rest is shown by the tests of the function, below, and of `statetape run`.
    private static let others = [
        "init folder": ".", "init package": "the clone in which this command was built", "run latest": "--latest",
        "run server": "STATETAPE_URL, then a private server",
        "run token": "the token in the server's URL, then STATETAPE_TOKEN",
        "run data": "a temporary one, removed at the end", "run build": "as `swift run` does",
        "run watch": "the package's sources and manifest",
        "start-state set session@event": "the last one that has a state",
        "sessions sort": "started", "push store": "main", "export output": files, "export format": "tape",
        "export store": "main, or the only store", "export from": "the tape's first",
        "export to": "the tape's last", "export web": "the built-in page", "move session": "all sessions",
        "check data": "./statetape-data, unless STATETAPE_DATABASE is set",
        "check database": "STATETAPE_DATABASE, if it is set", "ci output": "./statetape-ci",
    ]

    /// All that the help texts say, by command and option.
    private static func printed() throws -> [String: String] {
        let result = try CommandProcess.run(["--experimental-dump-help"])
        var defaults: [String: String] = [:]
        func add(_ command: JSON, _ path: [String]) {
            for argument in command["arguments"]?.array ?? [] {
                let name = argument["preferredName"]?["name"]?.string ?? argument["valueName"]?.string ?? ""
                let text = argument["abstract"]?.string ?? ""
                let written = text.firstMatch(of: /\(default: (.*?)\)/).map { String($0.1) }
                defaults[(path + [name]).joined(separator: " ")] = argument["defaultValue"]?.string ?? written
            }
            for command in command["subcommands"]?.array ?? []
            where command["commandName"]?.string != "help" && command["shouldDisplay"]?.bool != false {
                add(command, path + [command["commandName"]?.string ?? ""])
            }
        }
        if let command = try JSON(parsing: Data(result.output.utf8))["command"] { add(command, []) }
        return defaults
    }

    @Test("Each default is one that a command has, and is checked here")
    func table() throws {
        let printed = try Self.printed()
        var expected = Self.others
        for command in ["serve", "demo"] {
            for (option, text) in Self.serve { expected["\(command) \(option)"] = text }
        }
        for command in [
            "start-state list", "start-state set", "start-state clear", "sessions", "push", "import", "export",
            "diff", "prune",
        ] {
            expected["\(command) server"] = Self.server
            expected["\(command) token"] = Self.token
        }
        for (option, text) in printed { #expect(expected[option] == text, "\(option)") }
        for option in expected.keys { #expect(printed[option] != nil, "\(option)") }
    }

    @Test("The server and its token come from where the help says, in that order")
    func remote() throws {
        let (url, token) = ("http://10.0.0.1:1/#token=", ["STATETAPE_TOKEN": "variable"])
        for (arguments, environment, address, bearer) in [
            ([], [:], "http://127.0.0.1:8080", nil),
            ([], ["STATETAPE_URL": "http://10.0.0.2:2"], "http://10.0.0.2:2", nil),
            (["--server", url + "own"], ["STATETAPE_URL": "http://10.0.0.2:2"], "http://10.0.0.1:1", "own"),
            (["--server", url + "own"], token, "http://10.0.0.1:1", "own"),
            (["--server", "http://10.0.0.1:1"], token, "http://10.0.0.1:1", "variable"),
            (["--server", url + "own", "--token", "option"], token, "http://10.0.0.1:1", "option"),
            ([], ["STATETAPE_URL": url + "url"].merging(token) { $1 }, "http://10.0.0.1:1", "variable"),
            ([], ["STATETAPE_URL": url + "url"], "http://10.0.0.1:1", "url"),
        ] as [([String], [String: String], String, String?)] {
            let found = try ServerClient.parse(arguments).address(environment)
            #expect(found.origin?.absoluteString == address && found.token == bearer, "\(arguments) \(environment)")
        }
    }

    @Test("The folders of serve, check and ci, the order of sessions and the last event are as the help says")
    func others() throws {
        #expect(try ServeOptions.parse([]).data == "./statetape-data")
        #expect(try ContinuousIntegration.parse(["--", "true"]).output == "./statetape-ci")
        #expect(try Sessions.parse([]).sort == .started)
        #expect(try Push.parse(["0123456789", "--seq", "1"]).store == "main")
        let folder = try TestFolder()
        let missing = try CommandProcess.run(["check"]) { $0.currentDirectoryURL = folder.url }
        #expect(missing.status == 1 && missing.errors.contains("statetape-data"), "\(missing.errors)")
        let database = try CommandProcess.run(["check"]) {
            $0.currentDirectoryURL = folder.url
            $0.environment?["STATETAPE_DATABASE"] = "postgres://nobody@127.0.0.1:1/none"
        }
        #expect(database.status == 1 && !database.errors.contains("statetape-data"), "\(database.errors)")
    }

    @Test("export names its file after the session or the file, and says what it wrote", arguments: [true, false])
    func export(isFile: Bool) throws {
        let (server, folder) = (try ServerProcess(), try TestFolder())
        let tape = try folder.write("in/shop.tape", SampleTape.make(5))
        #expect(try server.run("import", tape).status == 0)
        let (argument, name) = isFile ? (tape, "shop") : (SampleTape.session, SampleTape.session)
        for (format, files) in [
            ("tape", ["tape"]), ("redux-devtools", ["redux.json"]), ("html", ["html"]),
            ("test", ["swift", "tape"]),
        ] {
            let place = try TestFolder()
            func run(_ options: String...) throws -> CommandProcess.Result {
                try CommandProcess.run(["export", argument, "--format", format] + options, server: server.url) {
                    $0.currentDirectoryURL = place.url
                }
            }
            let made = try run()
            #expect(made.status == 0 && made.output.hasPrefix("Wrote \(name).\(files[0])"), "\(made)")
            #expect(try place.names(".") == files.map { "\(name).\($0)" })
            #expect(try run().status == 1, "It exists already.")
            let again = try run("-o", "other.\(files[0])")
            #expect(again.status == 0 && again.output.hasPrefix("Wrote other.\(files[0])"), "\(again)")
            if format == "tape" {
                #expect(made.output == "Wrote \(name).tape, \(try place.text("\(name).tape").utf8.count) B.\n")
                #expect(try run("-o", "-").output == place.text("\(name).tape"))
                #expect(try run("-o", "/dev/null").output == "Wrote /dev/null.\n")
                #expect(try run("-o", "a.tape.gz").output.hasPrefix("Wrote a.tape.gz, "))
            }
        }
    }
}
