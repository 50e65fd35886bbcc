import Foundation
import TapeFormat
import Testing

@testable import StateTape
@testable import TapeUplink

@Suite("Settings: the address, and when recording is off")
struct SettingsTests {
    private func settings(
        url: String? = nil, token: String? = nil, allowRelease: Bool = false, allowTests: Bool = false,
        _ environment: [String: String] = [:], arguments: [String] = ["/bin/app"], isRelease: Bool = false
    ) -> Settings {
        Settings(
            url: url, token: token, allowRelease: allowRelease, allowTests: allowTests,
            launch: Launch(environment: environment, arguments: arguments, isRelease: isRelease))
    }

    private func isOff(_ settings: Settings) -> Bool {
        if case .off = settings { true } else { false }
    }

    private func address(_ settings: Settings) -> Address? {
        if case .on(let target) = settings { target.address } else { nil }
    }

    @Test("Without an address it is off")
    func noAddress() {
        #expect(isOff(settings()))
        #expect(isOff(settings(url: "")))
        #expect(isOff(settings(["STATETAPE_URL": ""])))
        #expect(isOff(settings(url: "ftp://host/")))
    }

    @Test("Code overrides the environment, which overrides the launch argument")
    func order() {
        let environment = ["STATETAPE_URL": "http://environment:1/"]
        let arguments = ["/bin/app", "-statetape-url", "http://argument:1/"]
        #expect(address(settings(url: "http://code:1/", environment))?.url == "ws://code:1/v1/app")
        #expect(address(settings(environment, arguments: arguments))?.url == "ws://environment:1/v1/app")
        #expect(address(settings(arguments: arguments))?.url == "ws://argument:1/v1/app")
        #expect(isOff(settings(arguments: ["/bin/app", "-statetape-url"])))
    }

    @Test(
        "The token is the first of: code, the fragment of an address in code, the environment, the launch argument, the fragment of another address",
        arguments: [
            ("http://h:1/#token=f", "c", "e", "a", "c"), ("http://h:1/#token=f", nil, "e", "a", "f"),
            ("http://h:1/#token=f%2Fg", "", "e", nil, "f/g"), ("http://h:1/#archive=x", nil, "e", "a", "e"),
            ("http://h:1/", nil, nil, "a", "a"), ("http://h:1/", nil, "", "", nil), ("http://h:1/", nil, nil, nil, nil),
            (nil, "c", "e", "a", "c"), (nil, nil, "e", "a", "e"), (nil, nil, nil, "a", "a"), (nil, nil, nil, nil, "n"),
            ("", nil, "", nil, "n"),
        ] as [(String?, String?, String?, String?, String?)])
    func tokens(_ url: String?, _ code: String?, _ variable: String?, _ argument: String?, _ token: String?) {
        var environment = ["STATETAPE_URL": "http://environment:1/#archive=y&token=n"]
        environment["STATETAPE_TOKEN"] = variable
        let arguments = ["/bin/app"] + (argument.map { ["-statetape-token", $0] } ?? [])
        let found = address(settings(url: url, token: code, environment, arguments: arguments))
        #expect(found?.token == token)
        #expect(found?.url == (url == nil || url == "" ? "ws://environment:1/v1/app" : "ws://h:1/v1/app"))
    }

    @Test(
        "One server has one key, however its address is written",
        arguments: [
            ("http://localhost:8080", "ws://localhost:8080"), ("http://127.0.0.1:8080/", "ws://localhost:8080"),
            ("http://[::1]:8080/", "ws://localhost:8080"), ("127.0.0.1:8080", "ws://localhost:8080"),
            ("ws://LOCALHOST:8080/v1/app#token=t", "ws://localhost:8080"), ("http://Mac.local./", "ws://mac.local:80"),
            ("http://user:secret@mac.local:80/", "ws://mac.local:80"), ("https://mac.local/", "wss://mac.local:443"),
            ("http://127.0.0.1.evil.example:8080", "ws://127.0.0.1.evil.example:8080"),
        ])
    func keys(_ text: String, _ key: String) {
        #expect(Address(text)?.key == key)
    }

    @Test(
        "An address with a path, or without host and port, is refused with the reason",
        arguments: [
            (
                "http://h:1/tape/",
                "has the path /tape, and a StateTape server is at the root of a host. Use http://h:1/"
            ),
            ("https://h/a/v1/app", "has the path /a/v1/app"), ("h:1/tape", "has the path /tape"),
            ("mac", "is not a URL of the kind"), ("ftp://h/", "is not a URL of the kind"), ("http://", "is not a URL"),
        ])
    func refused(_ text: String, _ reason: String) {
        #expect(Address(text) == nil)
        guard case .off(let told, let takesLinks, let isAsked) = settings([("STATETAPE_URL"): text]) else {
            Issue.record("it is on")
            return
        }
        #expect(told.contains("the address \"\(text)\" \(reason)"), "\(told)")
        #expect(!takesLinks && isAsked)
    }

    @Test(
        "What is told of an address has none of its secrets",
        arguments: [
            "https://me:hunter2@h/tape", "me:hunter2@mac", "ftp://me:hun/ter2@h/#token=hunter2", "mac?token=hunter2",
            "https://me:hunter2@[h/", "http://mac:80/token=hunter2", "mac/Token:hunter2",
        ])
    func secrets(_ text: String) {
        let invalid = #expect(throws: Address.Invalid.self) { try Address(parsing: text) }
        #expect(invalid?.description.contains("ter2") == false, "\(invalid?.description ?? "")")
    }

    @Test("A saved link comes last, and its token stays with it")
    func saved() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        func settings(
            url: String? = nil, token: String? = nil, _ environment: [String: String] = [:], isRelease: Bool = false,
            program: String = "/bin/app"
        ) -> Settings {
            Settings(
                url: url, token: token, allowRelease: false, allowTests: false,
                launch: Launch(
                    environment: environment, arguments: [program], isRelease: isRelease, folder: folder))
        }
        #expect(isOff(settings()))
        let place = try #require(Launch(environment: [:], folder: folder).link)
        try ServerLink(url: "http://saved:1/", token: "s").save(place)
        #expect(address(settings()) == Address("http://saved:1/", token: "s"))
        // A saved link uses its own token only, and other addresses don't use it.
        #expect(address(settings(token: "c", ["STATETAPE_TOKEN": "e"]))?.token == "s")
        #expect(address(settings(["STATETAPE_URL": "http://environment:1/"])) == Address("http://environment:1/"))
        #expect(address(settings(url: "http://code:1/")) == Address("http://code:1/"))
        // A saved link doesn't turn on a recorder that is off.
        #expect(isOff(settings(isRelease: true)))
        #expect(isOff(settings(["XCODE_RUNNING_FOR_PREVIEWS": "1"])))
        #expect(isOff(settings(program: "/a/PackageTests.xctest")))
        #expect(address(settings(["STATETAPE_FILE": "/tmp/a.tape"], program: "/a/PackageTests.xctest")) == nil)
        try Data("{".utf8).write(to: place)
        #expect(isOff(settings()))
    }

    @Test("A release build is off unless it is allowed")
    func release() {
        #expect(isOff(settings(url: "http://h:1/", isRelease: true)))
        #expect(!isOff(settings(url: "http://h:1/", allowRelease: true, isRelease: true)))
    }

    @Test("A SwiftUI preview is off")
    func preview() {
        #expect(isOff(settings(url: "http://h:1/", ["XCODE_RUNNING_FOR_PREVIEWS": "1"])))
    }

    @Test(
        "A process with unit tests is off, unless a tape file is set or the package's own tests allow it",
        arguments: ["/a/PackageTests.xctest", "/usr/bin/xctest", "/libexec/swiftpm-testing-helper"])
    func tests(_ program: String) {
        #expect(isOff(settings(url: "http://h:1/", arguments: [program])))
        #expect(!isOff(settings(url: "http://h:1/", allowTests: true, arguments: [program])))
        #expect(!isOff(settings(["STATETAPE_FILE": "/tmp/a.tape"], arguments: [program])))
        #expect(isOff(settings(url: "http://h:1/", ["XCTestConfigurationFilePath": "x"])))
    }

    @Test("This process counts as one that runs unit tests")
    func here() {
        #expect(Launch.current.isTestHost)
        #expect(!Recorder(.init(url: "http://127.0.0.1:9/")).isOn)
    }

    @Test(
        "Addresses of every kind lead to the app link",
        arguments: [
            ("http://host:8080/", "ws://host:8080/v1/app"), ("http://host:8080", "ws://host:8080/v1/app"),
            ("https://host/", "wss://host/v1/app"), ("ws://host:1/v1/app", "ws://host:1/v1/app"),
            ("host:8080", "ws://host:8080/v1/app"),
            ("127.0.0.1:8080", "ws://127.0.0.1:8080/v1/app"), ("http://[::1]:8080/", "ws://[::1]:8080/v1/app"),
            ("http://host:1/?session=x#token=t", "ws://host:1/v1/app"),
        ])
    func addresses(_ text: String, _ url: String) {
        #expect(Address(text)?.url == url)
    }

    @Test("Labels are read from the environment")
    func labels() {
        let launch = Launch(environment: ["STATETAPE_LABELS": "branch=main,commit=4f=2,,x"])
        #expect(launch.labels.map(\.0) == ["branch", "commit"])
        #expect(launch.labels.map(\.1) == ["main", "4f=2"])
    }

    @Test(
        "A launch waits as many seconds as the environment says",
        arguments: [
            (nil, 0.3), ("", 0.3), ("5", 5), ("0", 0), ("1.5", 1.5), ("60", 60), ("61", nil), ("-1", nil), ("nan", nil),
            ("inf", nil), ("5 s", nil),
        ] as [(String?, Double?)])
    func launchWait(text: String?, seconds: Double?) {
        var launch = Launch(environment: ["STATETAPE_FILE": "/dev/null"])
        launch.environment["STATETAPE_LAUNCH_WAIT"] = text
        #expect(LaunchWait(launch.environment).limit == seconds ?? 0.3)
        let log = Locked<[String]>([])
        _ = Recorder(.test(launch: launch) { line in log.withLock { $0.append(line) } })
        let told = log.withLock { $0.filter { $0.contains("STATETAPE_LAUNCH_WAIT is ignored: “\(text ?? "")”") } }
        #expect(told.count == (seconds == nil ? 1 : 0))
    }

    @Test("The device keeps its id")
    func device() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = Identity.device(in: folder)
        #expect(Identity.device(in: folder) == first)
        #expect(Identity.device(in: nil) != first)
        #expect(Identity.device(in: URL(fileURLWithPath: "/dev/null/nowhere")) != first)
    }

    @Test("Sessions have names that sort by time")
    func ulid() {
        let (early, late) = (ULID.make(milliseconds: 1_700_000_000_000), ULID.make(milliseconds: 1_700_000_000_001))
        #expect(early.count == 26 && early < late)
        #expect(ULID.make(milliseconds: 0).hasPrefix("0000000000"))
    }
}
