package import TapeFormat

/// A launch state: where new runs of an app start, namely after an event of a recorded session.
package struct LaunchState: Sendable, Equatable {
    package enum Mode: String, Sendable { case state, replay, latest }
    package var id: String
    package var app: String
    package var device: String?
    package var labels: [String: String]
    package var mode: Mode
    /// The session, and the event to start after or to replay up to; nil with `latest`.
    package var session: String?
    package var seq: Int?
    /// For a single run only.
    package var once: Bool

    package init(
        id: String, app: String, device: String? = nil, labels: [String: String], mode: Mode, session: String? = nil,
        seq: Int? = nil, once: Bool
    ) {
        (self.id, self.app, self.device, self.labels, self.mode) = (id, app, device, labels, mode)
        (self.session, self.seq, self.once) = (session, seq, once)
    }

    /// How specific it is: a device counts more than any number of labels.
    private var weight: (Int, Int) { (device == nil ? 0 : 1, labels.count) }

    private func matches(_ header: Header) -> Bool {
        app == header.app.id && (device == nil || device == header.device?.id)
            && labels.allSatisfy { header.labels[$0.key] == $0.value }
    }

    /// The most specific of `states` that matches a new run; the last one of equals. A run with the label `ci` gets
    /// none.
    package static func match(_ states: [LaunchState], _ header: Header) -> LaunchState? {
        guard header.labels["ci"] == nil else { return nil }
        return states.filter { $0.matches(header) }.reduce(nil) { best, next in
            guard let best, next.weight < best.weight else { return next }
            return best
        }
    }

    package var json: JSON {
        var object = JSON.Object([("id", .string(id)), ("app", .string(app))])
        object["device"] = device.map(JSON.string)
        if !labels.isEmpty {
            object["labels"] = .object(.init(labels.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        }
        object["session"] = session.map(JSON.string)
        object["seq"] = seq.map { .number(.init($0)) }
        object["mode"] = .string(mode.rawValue)
        object["once"] = .bool(once)
        return .object(object)
    }
}
