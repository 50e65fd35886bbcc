import StateCapture
import TapeFormat

/// Which states of a store are recorded. Actions always are.
///
/// The recorder keeps each recorded state, by copy on write, until it has compared it with the next one. The app pays
/// nothing where it doesn't change the state, and one copy of each buffer that it does change. The first change in an
/// array whose elements hold strings takes about 75 ns per element.
///
/// If an array in a struct changes often, the recorder compares it with its own copy of the elements instead. That
/// takes 5 to 10 ns per element and no copy per change. It needs the memory of the elements three times, without their
/// strings and arrays.
///
/// An action's event without a state says `skipped` on the tape: that state is never copied, compared or encoded. The
/// tape always has a store's first state, and each state that was applied or set without an action.
public struct Capture: Sendable {
    /// How often a state is captured.
    enum Rate: Sendable {
        case every
        /// Once the previous state is written, and no sooner than this after it was captured.
        case sampled(Duration)
        case never

        var isEvery: Bool { if case .every = self { true } else { false } }
    }

    let rate: Rate
    private var onlyPatterns: [String] = []
    private var exceptPatterns: [String] = []

    private init(_ rate: Rate) {
        self.rate = rate
    }

    /// Captures the state after each action. Every action pays for the copy of what it changes.
    ///
    /// An app that stays faster than the recorder loses states, not actions. Past 64 MB of waiting states, or 8 192 of
    /// them, recording works as with ``latest``, and actions wait without states. If the actions take another 64 MB,
    /// which is about 200 000 actions, the oldest half is dropped and replaced by a `gap` event. Memory is bounded, and
    /// the app never waits for the recorder.
    public static let every = Capture(.every)

    /// Captures a state whenever the recorder has written the previous one, at most one in 16 ms, which is a frame. The
    /// app pays one copy per written state, however many actions it dispatches.
    ///
    /// When the app becomes idle after a skipped state, the recorder asks the store for its current state. That needs
    /// the `state` of ``Track/connect(state:dispatch:play:isolation:)``; without it, the state waits for the next
    /// action. ``Recorder/finish(timeout:)`` does not wait for it.
    public static let latest = Capture(.sampled(.milliseconds(16)))

    /// Like ``latest``, with at most one state in this time.
    public static func sampled(every span: Duration) -> Capture { Capture(.sampled(max(span, .zero))) }

    /// Captures no states after actions: the app pays only for the actions.
    public static let actionsOnly = Capture(.never)

    /// Captures only these places of the state, given as JSON pointers in which `*` matches any member or element:
    /// `.latest.only("/todos", "/user/*/name")`. The recorder neither compares nor encodes the rest.
    ///
    /// The recorder ignores a pattern that is not a JSON pointer, and sends a message to its `log`.
    public func only(_ patterns: String...) -> Capture {
        var capture = self
        capture.onlyPatterns += patterns
        return capture
    }

    /// Leaves out these places of the state. The patterns are as for ``only(_:)``, and win over it.
    public func except(_ patterns: String...) -> Capture {
        var capture = self
        capture.exceptPatterns += patterns
        return capture
    }

    /// The places that are captured; nil for all.
    ///
    /// - Parameter place: The root, if the redaction depends on places.
    func slice(at place: Place?, log: (String) -> Void) -> Slice? {
        func pointers(_ patterns: [String]) -> [Pointer] {
            patterns.compactMap { pattern in
                do throws(FormatError) {
                    return try Pointer(parsing: pattern)
                } catch {
                    log("The capture pattern “\(pattern)” is ignored: \(error.message)")
                    return nil
                }
            }
        }
        return Slice(only: pointers(onlyPatterns), except: pointers(exceptPatterns), place: place)
    }
}
