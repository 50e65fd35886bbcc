/// One change of a navigation stack.
///
/// A route is state: the screens of the stack, the lowest first. Any `Equatable` type can be a screen.
public enum RouteStep<Screen: Equatable> {
    /// Removes screens from the top; the number is 1 or more.
    case pop(Int)
    /// Adds a screen on top.
    case push(Screen)
    /// Exchanges the top screen.
    case replace(Screen)

    /// The steps from one route to another, the fewest screens changed.
    ///
    /// Screens at the bottom that both routes share stay.
    public static func steps(from old: [Screen], to new: [Screen]) -> [RouteStep] {
        let shared = zip(old, new).prefix { $0 == $1 }.count
        let (gone, added) = (old.count - shared, new.dropFirst(shared))
        guard gone > 0, let first = added.first else {
            return (gone > 0 ? [.pop(gone)] : []) + added.map { .push($0) }
        }
        return (gone > 1 ? [.pop(gone - 1)] : []) + [.replace(first)] + added.dropFirst().map { .push($0) }
    }
}

extension RouteStep: Equatable {}
extension RouteStep: Sendable where Screen: Sendable {}
