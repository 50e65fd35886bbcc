#if Server
    import TapeFormat

    /// An event without its payload, patch and state: what a row of a list shows.
    enum HeadLine {
        /// A patch is looked into below this size.
        private static let maxPatch = 4 << 10
        private static let maxText = 120

        static func make(_ line: EventLine) -> JSON {
            var head = JSON.Object([
                ("seq", .number(.init(line.seq))), ("at", .number(line.at)), ("event", .string(line.kind.name)),
                ("store", .string(line.store)),
            ])
            head["type"] = line.type.map(JSON.string)
            head["bytes"] = .number(.init(line.bytes.count))
            for member in ["patch", "state"] { head[member] = line.size(member).map { .number(.init($0)) } }
            if let size = line.size("patch"), size < maxPatch, let operations = line["patch"]?.array {
                head["ops"] = .number(.init(operations.count))
                head["paths"] = .array(operations.prefix(3).compactMap { $0["path"] })
            }
            for member in ["skipped", "unfinished", "took", "cause", "dispatch", "reason", "level"] {
                head[member] = line[member]
            }
            if line.kind == .gap { head["count"] = .number(.init(line.count)) }
            if line.kind == .note, let text = line["text"]?.string {
                head["text"] = .string(String(text.prefix(maxText)))
            }
            return .object(head)
        }
    }
#endif
