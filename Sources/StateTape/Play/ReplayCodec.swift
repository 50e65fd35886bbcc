import StateCapture
package import TapeFormat

/// Reads the states and actions of a tape and writes states as a recorder does, for tests made from tapes.
package struct ReplayCodec<State, Action> {
    /// A value from the tape.
    package struct Read<Value> {
        package let value: Value
        /// Pointers of places that the tape lacks.
        package let filled: [String]
        /// Pointers of places that the type does not read.
        package let ignored: [String]
        /// Pointers of members that no tape has, with the value of the app's own state.
        package var kept: [String] = []
        /// Pointers of such members that could not be kept.
        package var lost: [String] = []
    }

    /// A state's form on the tape: the member, and its JSON text.
    package typealias Written = (name: String, text: [UInt8])

    private let states: StateCodec<State>
    private let actions: ActionCodec<Action>
    private let isAtOnce: Bool
    private let layouts = Layouts()
    /// Nothing is left out while states are compared: a change of a secret is a change, too.
    private var redactor = Redactor.none
    private var writer: StateWriter<State>

    package init() where State: Codable, Action: Codable {
        self.init(ActionCodec())
    }

    /// - Parameter types: The types of the actions behind a protocol.
    package init(decoding types: [any Codable.Type]) where State: Codable {
        self.init(ActionCodec(decoding: types))
    }

    private init(_ actions: ActionCodec<Action>) where State: Codable {
        states = StateCodec()
        self.actions = actions
        isAtOnce = states.atOnce(layouts) != nil
        writer = StateWriter(states, nil, layouts, redactor)
    }

    /// Reads a state. A secret that was left out of the tape gets the value of `current` or `initial`, else any value of
    /// its type.
    ///
    /// - Parameters:
    ///   - initial: Has the values of members that the tape lacks.
    /// - Throws: `Pushed.Failure` with the place.
    package func state(_ json: JSON, initial: State?, current: State? = nil) throws(Pushed.Failure) -> Read<State> {
        let known = initial.flatMap { try? states.tree(of: $0) }
        let kept = json.markedPlace == nil ? nil : (current.flatMap { try? states.tree(of: $0) } ?? known)
        // Secrets of one name have one type most often: by the name, the number of the value to try next.
        var tries: [String: Int] = [:]
        while true {
            let whole = try json.keeping(kept) { place, _ in
                let name = Self.name(of: place)
                tries[name] = tries[name, default: 0]
                return Self.standIns[tries[name, default: 0]]
            }
            do throws(Pushed.Failure) {
                var read = try states.read(whole, known, true)
                if let own = current ?? initial { MemberKeeper.keep(&read, from: own, .none) }
                let adjustments = read.adjustments
                return Read(
                    value: read.value, filled: adjustments.filled, ignored: adjustments.ignored, kept: adjustments.kept,
                    lost: adjustments.lost.map(\.path))
            } catch {
                guard let path = error.path, let place = try? Pointer(parsing: path),
                    let number = tries[Self.name(of: place)], number + 1 < Self.standIns.count
                else { throw error }
                tries[Self.name(of: place)] = number + 1
            }
        }
    }

    /// The name of the member that a place belongs to.
    private static func name(of place: Pointer) -> String { place.tokens.last { UInt($0) == nil } ?? "" }

    /// Values to try in the place of a secret.
    private static var standIns: [JSON] { ["", 0, false, .null, [], [:]] }

    /// - Returns: Nil if the value is not an action of this store.
    /// - Throws: `Pushed.Failure` with the place.
    package func action(_ json: JSON) throws(Pushed.Failure) -> Read<Action>? {
        let maker = try actions.read(json)
        return maker.make().map { Read(value: $0, filled: [], ignored: maker.ignored) }
    }

    /// The text that a recorder writes for an error that a reducer threw.
    package func text(of error: any Error, _ redaction: Redaction) -> String {
        ErrorText.of(error, Redactor(redaction.rules))
    }

    /// The state as a tree, with its secrets.
    package func tree(of state: State) throws -> JSON { try states.tree(of: state) }

    /// Starts a new recording: its first state is written in full.
    package mutating func record(_ redaction: Redaction) {
        redactor = Redactor(redaction.rules)
        writer = StateWriter(states, nil, layouts, redactor)
    }

    /// Drops the last written state: the next one is written in full.
    package mutating func forget() { writer.forget() }

    /// Writes a state as the recorder would after the last written one.
    ///
    /// - Throws: Errors from encoding.
    package mutating func write(_ state: State) throws -> Written {
        var form: Written = ("state", [])
        let snapshot: Snapshot<State> =
            isAtOnce ? .json(try states.text(of: state, nil, DirectEncoder(redactor))) : .value(state)
        try writer.write(snapshot) { written, _ in
            switch written {
            case .full(let text): form = ("state", text)
            case .patch(let text): form = ("patch", text)
            }
            return true
        }
        return form
    }
}

extension JSON {
    /// A value as the recorder writes it, with its secrets.
    ///
    /// - Throws: `FormatError` if the value can't be encoded.
    package init(plain value: some Encodable) throws(FormatError) {
        do {
            self = try DirectEncoder(.none).tree(of: value)
        } catch {
            throw FormatError("the value can't be encoded: \(error)")
        }
    }
}
