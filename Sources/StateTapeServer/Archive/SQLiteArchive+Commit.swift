#if Server
    import Foundation
    import GRDB
    import TapeFormat

    extension SQLiteArchive {
        func commit(_ group: [Change], received: Int) throws -> [Outcome] {
            try write { db in
                try group.map { change in
                    switch change {
                    case .open(let opening): try Self.open(opening, received, db)
                    case .claim(let claim): try Self.claim(claim, received, db)
                    case .append(let batch): try Self.append(batch, received, db)
                    case .seal(let seal): try Self.seal(seal, db)
                    }
                }
            }
        }

        private static func open(_ opening: Opening, _ received: Int, _ db: Database) throws -> Outcome {
            let find = try db.cachedStatement(sql: "SELECT * FROM session WHERE id = ?")
            guard let row = try Row.fetchOne(find, arguments: [opening.header.session]) else {
                let wasDeleted = try db.cachedStatement(sql: "SELECT 1 FROM deleted WHERE id = ?")
                guard try Row.fetchOne(wasDeleted, arguments: [opening.header.session]) == nil else { return .deleted }
                let insert = try db.cachedStatement(
                    sql: """
                        INSERT INTO session (id, key, owner, app, device, header, received, lastSeen)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                        """)
                let header = opening.header
                try insert.execute(arguments: [
                    header.session, Data(opening.keyHash), opening.owner, header.app.id, header.device?.id,
                    header.json.text, received, received,
                ])
                return .opened(try Session(Row.fetchOne(find, arguments: [header.session])))
            }
            guard row["key"] == Data(opening.keyHash) else { return .refused }
            // The first header wins; later labels are merged.
            var header = try Session(row).header
            header.labels.merge(opening.header.labels) { $1 }
            try db.cachedStatement(
                sql: "UPDATE session SET owner = ?, header = ?, lastSeen = max(lastSeen, ?) WHERE id = ?"
            )
            .execute(arguments: [opening.owner, header.json.text, received, header.session])
            return .opened(try Session(Row.fetchOne(find, arguments: [header.session])))
        }

        private static func append(_ batch: Batch, _ received: Int, _ db: Database) throws -> Outcome {
            let end = batch.lines.last.flatMap { $0.kind == .end ? $0["reason"]?.string ?? "" : nil }
            // Owner and position are checked by the statement that moves them on.
            try db.cachedStatement(
                sql: """
                    UPDATE session SET next = ?, bytes = bytes + ?, duration = ?, complete = complete AND ?,
                        ended = ?, lastSeen = max(lastSeen, ?)
                    WHERE row = ? AND owner = ? AND next = ?
                    """
            ).execute(arguments: [
                batch.next, batch.bytes, batch.lines.last?.at.double, !batch.lines.contains { $0.kind == .gap },
                end, received, batch.session, batch.owner, batch.first,
            ])
            guard db.changesCount == 1 else { return .dropped }
            let insert = try db.cachedStatement(
                sql: "INSERT INTO batch (session, first, next, lines) VALUES (?, ?, ?, ?)")
            for lines in rows(batch.lines) {
                guard let first = lines.first, let last = lines.last else { continue }
                var data = Data(capacity: lines.reduce(0) { $0 + $1.bytes.count + 1 })
                for line in lines {
                    data.append(contentsOf: line.bytes)
                    data.append(UInt8(ascii: "\n"))
                }
                try insert.execute(arguments: [batch.session, first.first, last.seq + 1, data])
            }
            try index(batch, db)
            return .appended
        }

        /// Cuts lines into rows that are cheap to read for one event.
        private static func rows(_ lines: [EventLine]) -> [ArraySlice<EventLine>] {
            var rows: [ArraySlice<EventLine>] = []
            var start = 0
            var bytes = 0
            for (index, line) in lines.enumerated() {
                if index > start, index - start == 256 || bytes + line.bytes.count > 256 << 10 {
                    rows.append(lines[start..<index])
                    start = index
                    bytes = 0
                }
                bytes += line.bytes.count
            }
            return rows + [lines[start...]]
        }

        private static func index(_ batch: Batch, _ db: Database) throws {
            let insert = try db.cachedStatement(
                sql: "INSERT INTO base (session, store, seq, kind) VALUES (?, ?, ?, ?)")
            for line in batch.lines {
                guard let kind = line.base else { continue }
                try insert.execute(arguments: [
                    batch.session, kind == .gap ? nil : line.store, line.seq, kind.rawValue,
                ])
            }
        }
    }

    extension EventLine {
        /// How the line sets or clears its store's base; nil if it leaves it as it is.
        var base: Base.Kind? {
            switch kind {
            case .gap: .gap
            case .detach: .detach
            case .`init`: .state
            default: raw("state") == nil ? nil : .state
            }
        }
    }
#endif
