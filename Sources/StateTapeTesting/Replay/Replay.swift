public import Foundation
public import StateTape
import TapeEngine
import TapeFormat

/// A tape as a test: runs the recorded actions through today's reducer and compares the states.
///
/// ```swift
/// @Test func couponStaysAfterLogin() throws {
///     try Replay("coupon.tape").ignoring("/**/lastUpdated").verify(AppState.self, AppAction.self, reducer: appReducer)
/// }
/// ```
///
/// The first event after which the states differ fails the test at its own line, with the differences by path. Values
/// that were left out of the tape as secrets are equal to anything. An action that holds such a value fails the test too,
/// unless ``secret(_:_:)`` supplies the value or ``skippingSecrets()`` skips the action.
public struct Replay: Sendable {
    /// When a replay writes its tape anew.
    public enum Mode: Sendable {
        /// Never. The default, unless `STATETAPE_RECORD=1` is in the environment.
        case never
        /// If the states differ: the test fails once more, and passes the next time.
        case failing
    }

    let name: String
    let bundle: Bundle?
    let directory: String
    var store: String?
    var range: ClosedRange<Int>?
    var comparison = StateComparison()
    var secrets = SuppliedSecrets()
    var mode: Mode
    var redaction = Redaction.standard

    /// A tape file.
    ///
    /// - Parameters:
    ///   - name: The file's name. It is searched in the test's own folder, in a folder `Tapes` there, in the folder `Tapes`
    ///     beside `Package.swift`, where a file needs no `exclude`, and in the bundle. A path that begins with `/` is taken
    ///     as it is.
    ///   - bundle: The bundle with the test's resources, as `.module`.
    ///   - filePath: The path of the test's file.
    public init(_ name: String, in bundle: Bundle? = nil, filePath: String = #filePath) {
        self.name = name
        self.bundle = bundle
        directory = URL(fileURLWithPath: filePath).deletingLastPathComponent().path
        mode = ProcessInfo.processInfo.environment["STATETAPE_RECORD"] == "1" ? .failing : .never
    }

    /// Replays this store. It is needed if the tape has several.
    public func store(_ name: String) -> Replay {
        changed { $0.store = name }
    }

    /// Replays only these events, from the recorded state before them.
    public func events(_ range: ClosedRange<Int>) -> Replay {
        changed { $0.range = range }
    }

    /// Replays the events from this one on, from the recorded state before it.
    public func events(_ range: PartialRangeFrom<Int>) -> Replay {
        events(range.lowerBound...Int.max)
    }

    /// Leaves places of the state out of the comparison.
    ///
    /// - Parameter patterns: JSON pointers, in which `*` stands for one name or index and `**` for any number, as in
    ///   `/**/lastUpdated`.
    public func ignoring(_ patterns: String...) -> Replay {
        changed { $0.comparison.ignore(patterns) }
    }

    /// Compares the arrays at these places without regard to their order. The patterns are as for ``ignoring(_:)``.
    public func unordered(_ patterns: String...) -> Replay {
        changed { $0.comparison.unordered(patterns) }
    }

    /// Takes numbers as equal that differ by no more than this.
    public func tolerance(_ difference: Double) -> Replay {
        changed { $0.comparison.tolerance = difference }
    }

    /// Supplies a value that was left out of the tape as a secret.
    ///
    /// ```swift
    /// Replay("login.tape").secret("/payload/token", "t1").verify(…)
    /// ```
    ///
    /// Any value of the right type will do if the reducer only stores it: the states are not compared at secret places.
    ///
    /// - Parameters:
    ///   - pattern: The place in an action, below `/payload`, or in the state. A JSON pointer, in which `*` stands for
    ///     one name or index and `**` for any number, as in `/**/token`. If several patterns lead to a place, the last one
    ///     counts.
    ///   - value: The value, as the app encodes it.
    public func secret(_ pattern: String, _ value: some Encodable) -> Replay {
        changed { $0.secrets.supply(pattern, value) }
    }

    /// Skips each action that holds a secret for which ``secret(_:_:)`` supplies no value. The recorded state after it
    /// counts, and a line of the test's output names the events: a fault in how the reducer handles these actions is not
    /// found.
    public func skippingSecrets() -> Replay {
        changed { $0.secrets.isSkippingAllowed = true }
    }

    /// Redacts the tapes that the replay writes. Pass what the recorder got, unless that was `.standard`.
    public func redaction(_ redaction: Redaction) -> Replay {
        changed { $0.redaction = redaction }
    }

    /// Writes the tape anew, so that its states are those of this run. Look at the change before you commit it.
    public func record(_ mode: Mode) -> Replay {
        changed { $0.mode = mode }
    }

    private func changed(_ change: (inout Replay) -> Void) -> Replay {
        var copy = self
        change(&copy)
        return copy
    }

    /// The places where the tape may be, the first ones first.
    private var places: [URL] {
        name.hasPrefix("/") ? sources : sources + (bundle?.resourceURL.map(places) ?? [])
    }

    /// The places outside of the build.
    var sources: [URL] {
        if name.hasPrefix("/") { return [URL(fileURLWithPath: name)] }
        let folder = URL(fileURLWithPath: directory, isDirectory: true)
        return places(in: folder) + (TapeFolder(above: folder).map { [$0.url.appendingPathComponent(name)] } ?? [])
    }

    private func places(in folder: URL) -> [URL] {
        [folder.appendingPathComponent(name), folder.appendingPathComponent("Tapes/\(name)")]
    }

    /// - Throws: ``ReplayFailure`` if there is no such tape, or if it can't be read.
    func open() throws -> (file: URL, tape: OpenedTape) {
        if let problem = comparison.problem ?? secrets.problem { throw ReplayFailure(problem) }
        guard let file = places.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            let searched = places.map { "\n  \($0.path)" }.joined()
            throw ReplayFailure("There is no tape \(name). Record one with STATETAPE_FILE, or copy it here:\(searched)")
        }
        let tape: OpenedTape
        do {
            tape = try OpenedTape(FileHandle(forReadingFrom: file), sessionID: { _ in "0000000000" })
        } catch let failure as OpenedTape.Failure {
            throw ReplayFailure(
                "\(file.path): \(failure)\nRecord it again, or see what is damaged: statetape verify \(file.path.shellPath)"
            )
        } catch {
            throw ReplayFailure("\(file.path) can't be read: \(error.systemReason)")
        }
        if let line = tape.cutLine {
            throw ReplayFailure(
                """
                \(file.path) is cut off in line \(line): its app was killed, or the copy is incomplete. Copy it again, or \
                delete that line.
                """)
        }
        return (file, tape)
    }
}

/// Why a tape can't be replayed.
struct ReplayFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
