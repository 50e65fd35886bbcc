import TapeFormat

/// Which states of a store are recorded. Actions always are.
///
/// A state that is recorded is kept, by copy on write, until it has been compared with the next one. That costs the app
/// nothing where it doesn't change the state, and one copy of each buffer that it does change: a first change in an
/// array of elements that hold strings takes about 75 ns an element.
///
/// An array that changes often, and lies in a struct, is compared with elements of the recorder's own instead: that takes
/// 5 to 10 ns an element, no copy, and the memory of the elements three times, their strings and arrays aside.
///
/// What an action's event lacks is `skipped` on the tape: it is never copied, compared or encoded. The first state of a
/// store, a state that was played in and one that was set without an action are always there.
public struct Capture: Sendable {
    /// How often a state is taken.
    enum Rate: Sendable {
        case every
        /// When the one before is written, and no sooner than this after it was taken.
        case sampled(Duration)
        case never
    }

    let rate: Rate
    private var onlyPatterns: [String] = []
    private var exceptPatterns: [String] = []

    private init(_ rate: Rate) {
        self.rate = rate
    }

    /// The state after each action. Every action pays the copy of what it changes.
    ///
    /// An app that is faster than the recorder for long loses states, not actions: past 64 MB of waiting states, or 8 192 of
    /// them, it is recorded as with ``latest``. Actions wait without states then. Should they take another 64 MB, which is
    /// some 200 000, the oldest half becomes a gap: memory is bounded, and the app never waits for the recorder.
    public static let every = Capture(.every)

    /// A state whenever the recorder is done with the one before, and no more than one in 16 ms, which is a frame: the app
    /// pays one copy for each state that is written, however many actions there are.
    ///
    /// When the app falls quiet with a skipped state, the store is asked for the one that it has now; that needs the
    /// `state` of ``Track/connect(state:dispatch:play:isolation:)``, else it waits for the next action.
    /// ``Recorder/finish(timeout:)`` does not wait for it.
    public static let latest = Capture(.sampled(.milliseconds(16)))

    /// As ``latest``, and no more than one state in this time.
    public static func sampled(every span: Duration) -> Capture { Capture(.sampled(max(span, .zero))) }

    /// No states after actions: the app pays for nothing but the actions.
    public static let actionsOnly = Capture(.never)

    /// Leaves out all but these places of the state, as JSON pointers in which `*` stands for any member or element:
    /// `.latest.only("/todos", "/user/*/name")`. What is left out is neither compared nor encoded.
    ///
    /// A pattern that is no pointer is ignored, with a message to the recorder's `log`.
    public func only(_ patterns: String...) -> Capture {
        var capture = self
        capture.onlyPatterns += patterns
        return capture
    }

    /// Leaves out these places of the state; patterns as for ``only(_:)``, over which it wins.
    public func except(_ patterns: String...) -> Capture {
        var capture = self
        capture.exceptPatterns += patterns
        return capture
    }

    /// The places that are captured; nil for all.
    ///
    /// - Parameter place: The root, if a redaction is asked about places.
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
