#if Server
    /// A text table; each column is as wide as its widest cell.
    struct Table {
        let lines: [String]

        init(_ rows: [[String]], rightAligned: Set<Int> = []) {
            let columns = rows.map(\.count).max() ?? 0
            let widths = (0..<columns).map { column in rows.map { Table.safe($0[column]).count }.max() ?? 0 }
            lines = rows.map { row in
                let cells = row.enumerated().map { column, cell in
                    let cell = Table.safe(cell)
                    let padding = String(repeating: " ", count: widths[column] - cell.count)
                    return rightAligned.contains(column) ? padding + cell : cell + padding
                }
                return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
            }
        }

        /// Removes control characters: apps choose the names, which must not move the cursor or color the terminal.
        static func safe(_ cell: String) -> String {
            String(cell.unicodeScalars.filter { $0.properties.generalCategory != .control })
        }
    }
#endif
