package import TapeFormat

/// What a server tells the others that share its archive. Each part is a hint to read again; the archive has the truth.
package struct PeerNotice: Sendable, Equatable {
    /// Sessions with new lines.
    package var committed: Set<String> = []
    /// Sessions whose summary has changed for another reason.
    package var changed: Set<String> = []
    package var deleted: Set<String> = []
    /// Sessions whose app has connected, disconnected, or changed its status.
    package var apps: Set<String> = []
    /// Whether a `statetape run` has reported or ended.
    package var runs = false
    /// The stores whose apps should send a full state, by session.
    package var wanted: [String: Set<String>] = [:]
    /// The servers that have requests to answer, and the requests that were answered.
    package var requests: Set<String> = []
    package var answers: Set<String> = []

    package init(
        committed: Set<String> = [], changed: Set<String> = [], deleted: Set<String> = [], apps: Set<String> = [],
        runs: Bool = false, wanted: [String: Set<String>] = [:], requests: Set<String> = [], answers: Set<String> = []
    ) {
        (self.committed, self.changed, self.deleted, self.apps, self.runs) = (committed, changed, deleted, apps, runs)
        (self.wanted, self.requests, self.answers) = (wanted, requests, answers)
    }

    package var isEmpty: Bool { self == PeerNotice() }

    package mutating func merge(_ other: PeerNotice) {
        committed.formUnion(other.committed)
        changed.formUnion(other.changed)
        deleted.formUnion(other.deleted)
        apps.formUnion(other.apps)
        runs = runs || other.runs
        wanted.merge(other.wanted) { $0.union($1) }
        requests.formUnion(other.requests)
        answers.formUnion(other.answers)
    }
}

extension PeerNotice {
    /// Members without content are left out.
    package var json: JSON {
        var json = JSON.Object()
        func add(_ name: String, _ texts: Set<String>) {
            if !texts.isEmpty { json[name] = .array(texts.sorted().map(JSON.string)) }
        }
        add("committed", committed)
        add("changed", changed.subtracting(committed))
        add("deleted", deleted)
        add("apps", apps)
        if runs { json["runs"] = true }
        if !wanted.isEmpty {
            json["wanted"] = .object(
                JSON.Object(
                    wanted.sorted { $0.key < $1.key }.map { ($0.key, .array($0.value.sorted().map(JSON.string))) }))
        }
        add("requests", requests)
        add("answers", answers)
        return .object(json)
    }

    /// Members that a later version adds are ignored.
    package init(_ json: JSON) {
        func texts(_ json: JSON?) -> Set<String> { Set((json?.array ?? []).compactMap(\.string)) }
        committed = texts(json["committed"])
        changed = texts(json["changed"])
        deleted = texts(json["deleted"])
        apps = texts(json["apps"])
        runs = json["runs"] == true
        wanted = Dictionary(
            (json["wanted"]?.object ?? JSON.Object()).map { ($0.key, texts($0.value)) }, uniquingKeysWith: { $1 })
        requests = texts(json["requests"])
        answers = texts(json["answers"])
    }
}
