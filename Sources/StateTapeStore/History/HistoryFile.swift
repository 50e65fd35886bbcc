public import Foundation

/// A history as JSON.
private struct HistoryFile<Tape: Codable>: Codable {
    var history = HistoryFileHeader().history
    var format = HistoryFileHeader().format
    let tape: Tape
}

/// The members that tell a history from other JSON.
private struct HistoryFileHeader: Codable {
    var history = "statetape"
    var format = 1
}

/// The files whose contents are known, because a history was read from them or saved to them.
// Unchecked: the lock protects the set.
final class HistoryFiles: @unchecked Sendable {
    private let lock = NSLock()
    private var known: Set<URL> = []

    func contains(_ url: URL) -> Bool { lock.withLock { known.contains(url.standardizedFileURL) } }
    func insert(_ url: URL) { lock.withLock { _ = known.insert(url.standardizedFileURL) } }
}

extension History where State: Codable, Action: Codable {
    /// The history as JSON, with its position and its skipped steps.
    ///
    /// - Throws: The error of the state's or an action's `encode(to:)`.
    public func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .text
        return try encoder.encode(HistoryFile(tape: copy))
    }

    /// Creates a history from the result of ``data()``.
    ///
    /// The reducer computes the state again. If a step makes it crash, it crashes at each launch; delete the file, or don't
    /// resume, to leave that state.
    ///
    /// - Parameters:
    ///   - data: The JSON.
    ///   - reducer: The store's reducer, which may have changed since.
    ///   - limit: The greatest number of steps.
    /// - Throws: A ``HistoryError``.
    public convenience init(data: Data, reducer: @escaping Reducer<State, Action>, limit: Int = 1_000) throws {
        self.init(tape: try Self.tape(data), reducer: reducer, limit: limit)
    }

    /// Resumes the history in a file.
    ///
    /// - Parameters:
    ///   - url: A file that ``save(to:)`` wrote.
    ///   - reducer: The store's reducer, which may have changed since.
    ///   - limit: The greatest number of steps.
    /// - Returns: Nil if there is no file.
    /// - Throws: A ``HistoryError``, or a `CocoaError` if the file can't be opened.
    public convenience init?(
        contentsOf url: URL, reducer: @escaping Reducer<State, Action>, limit: Int = 1_000
    ) throws {
        guard let data = try Self.contents(of: url) else { return nil }
        try self.init(data: data, reducer: reducer, limit: limit)
        files.insert(url)
    }

    /// Saves the history to a file, atomically: the file has the old content or the new one.
    ///
    /// The first save reads the file that is there. If it isn't a history of the same types, it stays.
    ///
    /// - Parameter url: The file. Its folder must exist.
    /// - Throws: ``HistoryError/occupied(path:_:)``, a `CocoaError` if the file can't be written, or an error of
    ///   ``data()``.
    public func save(to url: URL) throws {
        if !files.contains(url), let old = try Self.contents(of: url) {
            do { _ = try Self.tape(old) } catch let error as HistoryError {
                throw HistoryError.occupied(path: url.path, error)
            }
        }
        try data().write(to: url, options: .atomic)
        files.insert(url)
    }

    private static func contents(of url: URL) throws -> Data? {
        do { return try Data(contentsOf: url) } catch CocoaError.fileReadNoSuchFile { return nil }
    }

    private static func tape(_ data: Data) throws -> HistoryTape<State, Action> {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .text
        let own = HistoryFileHeader()
        guard let header = try? decoder.decode(HistoryFileHeader.self, from: data), header.history == own.history else {
            throw HistoryError.notAHistory
        }
        guard header.format <= own.format else { throw HistoryError.newerFormat(header.format) }
        let tape: HistoryTape<State, Action>
        do { tape = try decoder.decode(HistoryFile.self, from: data).tape } catch {
            throw HistoryError.unreadable(String(describing: error))
        }
        guard tape.isValid else { throw HistoryError.unreadable("The position is outside of the steps.") }
        return tape
    }
}

extension JSONEncoder.NonConformingFloatEncodingStrategy {
    fileprivate static var text: Self {
        .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }
}

extension JSONDecoder.NonConformingFloatDecodingStrategy {
    fileprivate static var text: Self {
        .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    }
}
