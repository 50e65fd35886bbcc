import TapeFormat

/// A text table; each column is as wide as its widest cell.
struct Table {
    /// A longer cell moves the rest of its row only: a server may send one, and each row would be as long.
    private static let maxWidth = 200

    let lines: [String]

    init(_ rows: [[String]], rightAligned: Set<Int> = []) {
        let columns = rows.map(\.count).max() ?? 0
        let rows = rows.map { $0.map(\.onOneLine) }
        let widths = (0..<columns).map { column in min(Self.maxWidth, rows.map { $0[column].count }.max() ?? 0) }
        lines = rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: max(0, widths[column] - cell.count))
                return rightAligned.contains(column) ? padding + cell : cell + padding
            }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}
