/// A request to the recorder: pause recording, or queue the app's own actions.
public struct Control: Sendable, Equatable {
    public var recording: Bool?
    public var locked: Bool?
    /// What becomes of the queued actions when the app is unlocked.
    public struct Queue: WireWord {
        /// They are dispatched in their order.
        public static let replay = Queue("replay")
        /// They are dropped.
        public static let discard = Queue("discard")

        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What to do with queued actions when the app is unlocked; nil: to keep them in the queue.
    public var queue: Queue?
    /// Whether the state that time travel came to stays when the app is unlocked. Otherwise its own state is put back.
    public var keep: Bool

    public init(recording: Bool? = nil, locked: Bool? = nil, queue: Queue? = nil, keep: Bool = false) {
        self.recording = recording
        self.locked = locked
        self.queue = queue
        self.keep = keep
    }

    init(_ members: Members) throws(FormatError) {
        recording = try members.optionalBool("recording")
        locked = try members.optionalBool("locked")
        queue = try members.optionalString("queue").map { Queue($0) }
        keep = try members.optionalBool("keep") ?? false
    }

    var json: JSON {
        .members(
            ("recording", recording.map(JSON.bool)), ("locked", locked.map(JSON.bool)),
            ("queue", (queue?.rawValue).map(JSON.string)), ("keep", keep ? true : nil))
    }
}

/// The reason for closing the connection after this line.
public struct LinkError: Error, Sendable, Equatable {
    public var code: String
    public var message: String

    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    init(_ members: Members) throws(FormatError) {
        code = try members.string("code")
        message = try members.string("message")
    }

    var json: JSON { ["code": .string(code), "message": .string(message)] }
}
