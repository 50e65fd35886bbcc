public protocol Action {}
public typealias DispatchFunction = (any Action) -> Void
public typealias Middleware<State> =
    (@escaping DispatchFunction, @escaping () -> State?) -> (@escaping DispatchFunction) -> DispatchFunction
public typealias Reducer<State> = (_ action: any Action, _ state: State?) -> State

open class Store<State> {
    public private(set) var state: State!
    private let reducer: Reducer<State>

    public init(
        reducer: @escaping Reducer<State>, state: State?, middleware: [Middleware<State>] = [],
        automaticallySkipsRepeats: Bool = true
    ) {
        self.reducer = reducer
        self.state = state
    }

    open func dispatch(_ action: any Action) {
        // Elsewhere, so that this isn't taken for a store of the app.
        set(reducer(action, state))
    }

    private func set(_ next: State) { state = next }
}
