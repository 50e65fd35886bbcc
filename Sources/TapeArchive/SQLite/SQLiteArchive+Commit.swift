import Foundation
import GRDB
import TapeEngine
import TapeFormat
import Zlib

extension SQLiteArchive {
    package func commit(_ group: [Change], received: Int) throws -> [Outcome] {
        let outcomes = try write(taking: group.reduce(0) { $0 + Self.room(for: $1) }) { db in
            try group.map { change -> Outcome in
                switch change {
                case .open(let opening): try Self.open(opening, received, db)
                case .claim(let claim): try Self.claim(claim, received, db)
                case .append(let batch): try Self.append(batch, received, db)
                case .seal(let seal): try Self.seal(seal, db)
                case .probe: .dropped
                }
            }
        }
        // Before anybody is told that it is stored.
        for (change, outcome) in zip(group, outcomes) {
            switch (change, outcome) {
            case (_, .opened(let session)): note(session)
            case (.append(let batch), .appended): acknowledged?.note(batch)
            default: break
            }
        }
        return outcomes
    }

    /// What was lost is known until it is filled.
    private func note(_ session: Session) {
        let end = lost.first { $0.row == session.row && !$0.isInside }?.seqs.upperBound ?? 0
        acknowledged?.note(session, next: max(session.next, end))
    }

    /// The approximate bytes that a change adds to the file, before it deletes anything.
    private static func room(for change: Change) -> Int {
        switch change {
        case .append(let batch): batch.bytes
        case .seal(let seal):
            // The word index takes six times the size of the words.
            seal.keyframes.reduce(seal.lines.count + seal.columns.count) { $0 + $1.state.count }
                + 6 * seal.words.reduce(0) { $0 + $1.utf8.count }
        case .claim(let claim): (claim.header.states ?? [:]).values.reduce(0) { $0 + $1.bytes.count }
        case .open, .probe: 0
        }
    }

    private static func open(_ opening: SessionOpening, _ received: Int, _ db: Database) throws -> Outcome {
        let find = try db.cachedStatement(sql: "SELECT \(columns) FROM session WHERE id = ?")
        guard let row = try Row.fetchOne(find, arguments: [opening.header.session]) else {
            let wasDeleted = try db.cachedStatement(sql: "SELECT 1 FROM deleted WHERE id = ?")
            guard try Row.fetchOne(wasDeleted, arguments: [opening.header.session]) == nil else { return .deleted }
            let insert = try db.cachedStatement(
                sql: """
                    INSERT INTO session (id, key, owner, app, device, header, received, lastSeen)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            // Only a tape in a file may start at another seq than 0.
            var header = opening.header
            header.from = nil
            header.states = nil
            try insert.execute(arguments: [
                header.session, Data(opening.keyHash), opening.owner, header.app.id.stored,
                header.device?.id?.stored,
                header.json.text, received, received,
            ])
            return .opened(try Session(Row.fetchOne(find, arguments: [header.session])))
        }
        guard try row.get("key") == Data(opening.keyHash) else { return .refused }
        // The first header wins; labels of later ones are merged.
        let session = try Session(row)
        try session.checkEnd()
        let added = opening.header.labels.filter { session.header.labels[$0.key] != $0.value }
        if !added.isEmpty, !session.isHeaderDamaged { try relabel(session.row, db) { $0.merge(added) { $1 } } }
        try db.cachedStatement(sql: "UPDATE session SET owner = ?, lastSeen = max(lastSeen, ?) WHERE row = ?")
            .execute(arguments: [opening.owner, received, session.row])
        return .opened(try Session(Row.fetchOne(find, arguments: [opening.header.session])))
    }

    private static func append(_ batch: Batch, _ received: Int, _ db: Database) throws -> Outcome {
        let rows = BatchRows(batch.lines)
        let end = batch.lines.last.flatMap { $0.kind == .end ? $0["reason"]?.string ?? "" : nil }
        // The same statement checks owner and position and updates the position.
        try db.cachedStatement(
            sql: """
                UPDATE session SET next = ?, bytes = bytes + ?, duration = ?, complete = complete AND ?,
                    ended = ?, lastSeen = max(lastSeen, ?)
                WHERE row = ? AND owner = ? AND next = ?
                """
        ).execute(arguments: [
            batch.next, batch.bytes, batch.lines.last?.at.double, !rows.bases.contains { $0.kind == .gap },
            end?.stored, received, batch.session, batch.owner, batch.first,
        ])
        guard db.changesCount == 1 else {
            let find = try db.cachedStatement(sql: "SELECT 1 FROM session WHERE row = ?")
            return try Row.fetchOne(find, arguments: [batch.session]) == nil ? .deleted : .dropped
        }
        let insert = try db.cachedStatement(
            sql: "INSERT INTO batch (session, first, next, lines, sum) VALUES (?, ?, ?, ?, ?)")
        for row in rows.all {
            try insert.execute(arguments: [
                batch.session, row.first, row.next, Data(row.bytes), CRC32.of(row.bytes),
            ])
        }
        let insertBase = try db.cachedStatement(
            sql: "INSERT INTO base (session, store, seq, kind) VALUES (?, ?, ?, ?)")
        for base in rows.bases {
            try insertBase.execute(arguments: [
                batch.session, base.kind == .gap ? nil : base.line.store.stored, base.line.seq, base.kind.rawValue,
            ])
        }
        return .appended
    }
}
