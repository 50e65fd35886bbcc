package import Foundation
import TapeFormat

/// A value that a thread waits for. If its promise is released without a value, the wait ends with nil. So no
/// thread waits forever, even if the server stops.
package final class Reply<Value: Sendable>: Sendable {
    private let state = Locked<(value: Value?, isOver: Bool)>((nil, false))
    private let isGiven = DispatchSemaphore(value: 0)

    /// Sets the value.
    package final class Promise: Sendable {
        fileprivate let reply: Reply

        fileprivate init(_ reply: Reply) {
            self.reply = reply
        }

        deinit {
            reply.isGiven.signal()
        }

        /// - Returns: False if nobody waits any more.
        @discardableResult
        package func give(_ value: Value) -> Bool {
            reply.state.withLock { state in
                if !state.isOver { state.value = value }
                return !state.isOver
            }
        }
    }

    private init() {}

    /// Waits until the promise passed to `ask` is released.
    package static func wait(_ ask: (Promise) -> Void) -> Value? {
        make(ask).wait()
    }

    /// The reply to `ask`. Call `wait` once.
    package static func make(_ ask: (Promise) -> Void) -> Reply {
        let reply = Reply()
        ask(Promise(reply))
        return reply
    }

    package func wait() -> Value? {
        isGiven.wait()
        return end()
    }

    /// Waits at most this long.
    package func wait(atMost limit: DispatchTimeInterval) -> Value? {
        _ = isGiven.wait(timeout: .now() + limit)
        return end()
    }

    private func end() -> Value? {
        state.withLock { state in
            state.isOver = true
            return state.value
        }
    }
}
