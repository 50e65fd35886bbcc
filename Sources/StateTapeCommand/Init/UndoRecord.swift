import Foundation

/// What `init` changed, in a file of the package, so that it can be undone.
///
/// It is written before the first change: a command that is stopped half-way can be undone, too.
struct UndoRecord: Codable {
    static let name = ".statetape-init"

    struct File: Codable {
        /// In the package, without links.
        let path: String
        let old: Data
        let new: Data
    }

    let files: [File]

    private static func url(_ folder: URL) -> URL { folder.appendingPathComponent(name) }

    static func exists(in folder: URL) -> Bool { FileManager.default.fileExists(atPath: url(folder).path) }

    /// Writes the record, then each file.
    func apply(in folder: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(self)
        try OutputFile.write(Self.url(folder).path) { try $0.write(contentsOf: data) }
        for file in files { try Self.write(file.new, folder.appendingPathComponent(file.path)) }
    }

    /// Puts the files back, and removes the record.
    ///
    /// - Returns: The paths of the files.
    /// - Throws: `Failure` with the name of a file that was changed since; then all stay as they are.
    static func undo(in folder: URL) throws -> [String] {
        guard exists(in: folder) else {
            throw Failure("There is nothing to undo: \(folder.path) has no \(name), which `statetape init` leaves.")
        }
        let record: UndoRecord
        do {
            record = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url(folder)))
        } catch {
            throw Failure("\(url(folder).path) can't be read: \(error.reason)")
        }
        for file in record.files {
            let place = folder.appendingPathComponent(file.path)
            // A file that was not reached is as it was.
            guard let now = try? Data(contentsOf: place), [file.old, file.new].contains(now) else {
                throw Failure(
                    "\(file.path) was changed after `statetape init`. Nothing was undone: take its lines out by hand, and"
                        + " delete \(name).")
            }
        }
        for file in record.files { try write(file.old, folder.appendingPathComponent(file.path)) }
        try FileManager.default.removeItem(at: url(folder))
        return record.files.map(\.path)
    }

    private static func write(_ data: Data, _ url: URL) throws {
        try OutputFile.write(url.path) { try $0.write(contentsOf: data) }
    }
}
