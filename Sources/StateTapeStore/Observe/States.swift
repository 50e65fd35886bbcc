extension Store where State: Sendable {
    /// The current state, and then each new state.
    ///
    /// ```swift
    /// for await state in store.states { print(state) }
    /// ```
    ///
    /// The sequence keeps the newest state for a slow reader, and drops the others. It ends when the store is released or
    /// the reading task is cancelled, and it doesn't retain the store. Each reader needs a sequence of its own.
    public var states: AsyncStream<State> {
        stream { subscribe($0) }
    }
}

extension Store {
    /// A part of the current state, and then each time that the part changes.
    ///
    /// Like ``states``, the sequence drops parts for a slow reader. So a reader may receive two equal parts in a row, if
    /// the part changed and changed back in between.
    ///
    /// - Parameter select: Returns the part of a state. It is called for each state and should be fast.
    public func states<Part: Equatable & Sendable>(_ select: @escaping (State) -> Part) -> AsyncStream<Part> {
        stream { subscribe(select, $0) }
    }

    fileprivate func stream<Part: Sendable>(
        _ subscribe: (@escaping (Part) -> Void) -> Subscription
    ) -> AsyncStream<Part> {
        let (stream, continuation) = AsyncStream.makeStream(of: Part.self, bufferingPolicy: .bufferingNewest(1))
        let end = StreamEnd(continuation)
        let subscription = subscribe { end.continuation.yield($0) }
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }
}

/// Ends a stream when its subscriber is released.
private final class StreamEnd<Part: Sendable> {
    let continuation: AsyncStream<Part>.Continuation

    init(_ continuation: AsyncStream<Part>.Continuation) {
        self.continuation = continuation
    }

    deinit {
        continuation.finish()
    }
}
