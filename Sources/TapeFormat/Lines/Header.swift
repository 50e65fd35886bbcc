/// The first line of a tape: which run of which app it records.
public struct Header: Sendable, Equatable {
    /// The app that ran.
    public struct App: Sendable, Equatable {
        /// Its bundle identifier.
        public var id: String
        public var name: String?
        public var version: String?
        public var build: String?

        public init(id: String, name: String? = nil, version: String? = nil, build: String? = nil) {
            self.id = id
            self.name = name
            self.version = version
            self.build = build
        }
    }

    /// What it ran on.
    public struct Device: Sendable, Equatable {
        /// Made once for each installation.
        public var id: String?
        public var name: String?
        public var model: String?
        public var os: String?

        public init(id: String? = nil, name: String? = nil, model: String? = nil, os: String? = nil) {
            self.id = id
            self.name = name
            self.model = model
            self.os = os
        }
    }

    /// The version of the format; this module reads and writes 1.
    public var tape = 1
    /// The session's name for ever: 10 to 64 letters, digits, `-` and `_`; a recorder makes a ULID at launch.
    public var session: String
    public var app: App
    public var device: Device?
    /// The launch in ISO 8601, by the device's clock.
    public var started: String
    /// The stores that the app expects to attach; only a hint.
    public var stores: [String]
    public var labels: [String: String]
    /// Name and version of what recorded.
    public var recorder: String?
    /// Of a tape that is cut out of a longer one: its first seq.
    public var from: Int?
    /// Of a tape that is cut out of a longer one: the stores' states before its first event.
    public var states: [String: JSON]?
    /// Members that this version doesn't know, as they came.
    private var others = JSON.Object()

    public init(
        session: String, app: App, device: Device? = nil, started: String, stores: [String] = [],
        labels: [String: String] = [:], recorder: String? = nil, from: Int? = nil, states: [String: JSON]? = nil
    ) {
        self.session = session
        self.app = app
        self.device = device
        self.started = started
        self.stores = stores
        self.labels = labels
        self.recorder = recorder
        self.from = from
        self.states = states
    }

    /// Reads a header.
    ///
    /// - Throws: `FormatError` that names the member.
    public init(_ json: JSON) throws(FormatError) {
        let members = try Members(json, "the header")
        tape = try members.count("tape")
        guard tape == 1 else { throw FormatError("the tape is of format version \(tape), and only 1 is known here") }
        session = try members.required("session", "10 to 64 letters, digits, “-” and “_”", Header.session)
        app = try App(Members(members.required("app", "an object") { $0 }, "“app” of the header"))
        device = try members.optional("device", "an object") { $0 }.map { (json) throws(FormatError) in
            try Device(Members(json, "“device” of the header"))
        }
        started = try members.string("started")
        stores = try members.strings("stores")
        labels = try members.optional("labels", "an object of strings", Header.labels) ?? [:]
        recorder = try members.optionalString("recorder")
        from = try members.optionalCount("from")
        states = try members.optional("states", "an object", \.object).map {
            Dictionary($0.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
        }
        let known = ["tape", "session", "app", "device", "started", "stores", "labels", "recorder", "from", "states"]
        others = JSON.Object(members.object.filter { !known.contains($0.key) }.map { ($0.key, $0.value) })
    }

    public var json: JSON {
        var object = JSON.Object()
        object["tape"] = .int(tape)
        object["session"] = .string(session)
        object["app"] = app.json
        object["device"] = device?.json
        object["started"] = .string(started)
        if !stores.isEmpty { object["stores"] = .strings(stores) }
        if !labels.isEmpty { object["labels"] = Header.sorted(labels.mapValues(JSON.string)) }
        object["recorder"] = recorder.map(JSON.string)
        object["from"] = from.map(JSON.int)
        object["states"] = states.map(Header.sorted)
        for member in others where object[member.key] == nil { object[member.key] = member.value }
        return .object(object)
    }

    static func sorted(_ members: [String: JSON]) -> JSON {
        .object(JSON.Object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
    }

    private static func session(_ json: JSON) -> String? {
        json.string.flatMap { isSession($0) ? $0 : nil }
    }

    /// Whether a text can be a session's name.
    public static func isSession(_ text: String) -> Bool {
        10...64 ~= text.utf8.count
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    private static func labels(_ json: JSON) -> [String: String]? {
        guard let object = json.object else { return nil }
        var labels: [String: String] = [:]
        for member in object {
            guard let text = member.value.string else { return nil }
            labels[member.key] = text
        }
        return labels
    }
}

extension Header.App {
    fileprivate init(_ members: Members) throws(FormatError) {
        id = try members.string("id")
        name = try members.optionalString("name")
        version = try members.optionalString("version")
        build = try members.optionalString("build")
    }

    fileprivate var json: JSON {
        .members(
            ("id", .string(id)), ("name", name.map(JSON.string)), ("version", version.map(JSON.string)),
            ("build", build.map(JSON.string)))
    }
}

extension Header.Device {
    fileprivate init(_ members: Members) throws(FormatError) {
        id = try members.optionalString("id")
        name = try members.optionalString("name")
        model = try members.optionalString("model")
        os = try members.optionalString("os")
    }

    fileprivate var json: JSON {
        .members(
            ("id", id.map(JSON.string)), ("name", name.map(JSON.string)), ("model", model.map(JSON.string)),
            ("os", os.map(JSON.string)))
    }
}
