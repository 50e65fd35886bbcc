/// Makes a navigation stack show the route of a store's state.
///
/// ```swift
/// let router = Router(store, \.route) { step in
///     switch step {
///     case .push(let screen): navigation.pushViewController(controller(for: screen), animated: true)
///     …
///     }
/// }
/// ```
///
/// The router compares the route with the screens that the stack shows, and performs the difference: one step for a
/// back button, no step for a screen that stays, and all steps for a state that is applied or restored. It stops when it
/// is released, and doesn't retain the store.
@MainActor public final class Router<Screen: Equatable> {
    /// The screens that the stack shows.
    ///
    /// When the user navigates without the store, such as with a swipe back, call ``didShow(_:)``.
    public private(set) var shown: [Screen]
    private let perform: (RouteStep<Screen>) -> Void
    private var route: [Screen]
    private var isPerforming = false
    private var subscription: Subscription?

    /// Creates a router, and performs the steps to the current route.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - select: Returns the route of a state: the screens of the stack, the lowest first.
    ///   - shown: The screens that the stack shows already.
    ///   - perform: Changes the stack, on the main actor. If it dispatches, the router takes the new route next.
    public init<State, Action>(
        _ store: Store<State, Action>, _ select: @escaping (State) -> [Screen], shown: [Screen] = [],
        perform: @escaping (RouteStep<Screen>) -> Void
    ) {
        self.shown = shown
        self.perform = perform
        route = shown
        let delivery = MainDelivery<[Screen]> { [weak self] route in self?.show(route) }
        subscription = store.subscribe { delivery(select($0)) }
    }

    /// Notes screens that the stack shows after the user navigated. Call it, and then dispatch the action that changes the
    /// route. If the store doesn't change it, the router returns to the route with the store's next state. A call during a
    /// step is ignored, because the router knows its own steps.
    public func didShow(_ screens: [Screen]) {
        if !isPerforming { shown = screens }
    }

    private func show(_ newest: [Screen]) {
        route = newest
        if isPerforming { return }
        isPerforming = true
        defer { isPerforming = false }
        while shown != route { performSteps(to: route) }
    }

    private func performSteps(to target: [Screen]) {
        for step in RouteStep.steps(from: shown, to: target) {
            switch step {
            case .pop(let count): shown.removeLast(count)
            case .push(let screen): shown.append(screen)
            case .replace(let screen): shown[shown.count - 1] = screen
            }
            perform(step)
            // A step may dispatch, and change the route.
            if route != target { return }
        }
    }
}
