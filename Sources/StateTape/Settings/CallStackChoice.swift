import DispatchContext

/// Whether a recorder records the call stacks of dispatches.
struct CallStackChoice {
    let isOn: Bool
    /// A warning for the developer; nil if there is none.
    var message: String?

    /// - Parameters:
    ///   - code: The choice in the app's code.
    ///   - environment: `STATETAPE_CALL_STACKS` is `1` or `0`. It counts if the code doesn't choose them.
    ///   - isKnown: Whether this platform has call stacks.
    init(_ code: Bool, _ environment: [String: String], isKnown: Bool = CallStack.isKnown) {
        let text = environment["STATETAPE_CALL_STACKS"].flatMap { $0.isEmpty ? nil : $0 }
        let isAsked = code || text == "1"
        isOn = isAsked && isKnown
        if isAsked, !isKnown {
            message = "StateTape records no call stacks: it can't read them on this platform."
        } else if !code, let text, text != "1", text != "0" {
            message = "STATETAPE_CALL_STACKS is ignored: “\(text)” is neither 1 nor 0."
        }
    }
}
