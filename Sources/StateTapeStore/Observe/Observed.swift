#if canImport(Observation)
    public import Observation

    /// A part of a store's state for views: one that reads ``value`` is updated when the part changes.
    ///
    /// ```swift
    /// struct CountView: View {
    ///     let count: Observed<Int>  // store.observed(\.count)
    ///     var body: some View { Text("\(count.value)") }
    /// }
    /// ```
    ///
    /// When a dispatch on the main actor returns, the value has changed. Another dispatch changes it soon after. It doesn't
    /// retain the store.
    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    @MainActor public final class Observed<Part>: Observable {
        private let registrar = ObservationRegistrar()
        private var part: Part
        private var subscription: Subscription?

        fileprivate init(_ initial: Part, subscribe: (@escaping (Part) -> Void) -> Subscription) {
            part = initial
            let delivery = MainDelivery<Part> { [weak self] part in self?.value = part }
            subscription = subscribe { delivery($0) }
        }

        /// The newest part.
        public private(set) var value: Part {
            get {
                registrar.access(self, keyPath: \.value)
                return part
            }
            set {
                registrar.withMutation(of: self, keyPath: \.value) { part = newValue }
            }
        }
    }

    @available(iOS 17, macOS 14, tvOS 17, watchOS 10, *)
    extension Store {
        /// The whole state for views. A view that reads it is updated for each new state.
        @MainActor public func observed() -> Observed<State> {
            Observed(state) { subscribe($0) }
        }

        /// A part of the state for views.
        ///
        /// - Parameter select: Returns the part of a state. It is called for each state and should be fast.
        @MainActor public func observed<Part: Equatable>(_ select: @escaping (State) -> Part) -> Observed<Part> {
            Observed(select(state)) { subscribe(select, $0) }
        }

        /// A part of the state for views.
        ///
        /// - Parameter path: Leads to the part. It is read for each state and should be fast.
        @MainActor public func observed<Part: Equatable>(_ path: KeyPath<State, Part>) -> Observed<Part> {
            Observed(state[keyPath: path]) { subscribe(path, $0) }
        }

        /// An item of an array for views, such as one row of a list; nil if the array has no item at the index.
        @MainActor public func observed<Item: Equatable>(
            _ items: KeyPath<State, [Item]>, at index: Int
        ) -> Observed<Item?> {
            Observed(state[keyPath: items].item(at: index)) { subscribe(items, at: index, $0) }
        }

        /// A value of a dictionary for views; nil if the dictionary has no value for the key.
        @MainActor public func observed<Key: Hashable, Value: Equatable>(
            _ values: KeyPath<State, [Key: Value]>, at key: Key
        ) -> Observed<Value?> {
            Observed(state[keyPath: values][key]) { subscribe(values, at: key, $0) }
        }
    }
#endif
