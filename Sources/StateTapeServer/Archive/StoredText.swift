#if Server
    import Foundation
    import GRDB

    /// A text that SQLite keeps whole. Its functions end a text at the first NUL, so a text with one is kept as bytes.
    ///
    /// Every text from outside that isn't JSON goes in and comes out as this.
    struct StoredText: DatabaseValueConvertible {
        let text: String

        init(_ text: String) {
            self.text = text
        }

        var databaseValue: DatabaseValue {
            text.utf8.contains(0) ? Data(text.utf8).databaseValue : text.databaseValue
        }

        static func fromDatabaseValue(_ value: DatabaseValue) -> StoredText? {
            String.fromDatabaseValue(value).map(StoredText.init)
        }
    }

    extension String {
        /// The text as SQLite keeps it whole.
        var stored: StoredText { StoredText(self) }
    }

    extension Row {
        /// A column's value. Not by `row["…"]`, which ends the process on a value of another type: a damaged page may
        /// hold any.
        ///
        /// - Throws: `RowDecodingError` if the column holds something else.
        func get<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
            try decode(Value.self, forColumn: column)
        }

        func text(_ column: String) throws -> String {
            try decode(StoredText.self, forColumn: column).text
        }

        func optionalText(_ column: String) throws -> String? {
            try decode(StoredText?.self, forColumn: column)?.text
        }
    }
#endif
