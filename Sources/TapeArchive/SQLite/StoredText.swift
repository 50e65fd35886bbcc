import Foundation
import GRDB
import TapeFormat

/// A text that SQLite stores completely. SQLite's functions end a text at the first NUL, so a text with a NUL is
/// stored as bytes.
///
/// Every external text that isn't JSON is stored and read through this type.
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
    /// The text in the form that SQLite stores completely.
    var stored: StoredText { StoredText(self) }
}

extension Row {
    /// A column's value. `row["…"]` would end the process on a value of another type, which a damaged page may contain.
    ///
    /// - Throws: `FormatError` if the column has another type.
    func get<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        do {
            return try decode(Value.self, forColumn: column)
        } catch is RowDecodingError {
            // Its own text has the whole row.
            throw FormatError("the stored value of “\(column)” has the wrong type")
        }
    }

    func text(_ column: String) throws -> String { try (get(column) as StoredText).text }

    func optionalText(_ column: String) throws -> String? { try (get(column) as StoredText?)?.text }
}
