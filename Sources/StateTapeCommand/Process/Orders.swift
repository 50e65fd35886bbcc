#if os(Linux)
    import Foundation
    import TapeFormat

    /// What a supervisor's parent tells it. The end of the parent is an order, too: the socket ends.
    final class Orders: Sendable {
        private let order = Locked<(signal: Int32, grace: Duration?)>((SIGTERM, nil))

        /// The signal that ends the command.
        var signal: Int32 { order.withLock { $0.signal } }
        /// Nil if the parent has ended.
        var grace: Duration? { order.withLock { $0.grace } }

        /// - Parameter number: The signal to this process for each order.
        init(_ socket: Int32, _ number: Int32) {
            Thread.detachNewThread { [order] in
                while true {
                    var words: [Int32] = [0, 0]
                    let count = recv(socket, &words, 8, Int32(MSG_WAITALL))
                    if count < 0, errno == EINTR { continue }
                    order.withLock { $0 = count == 8 ? (words[0], .milliseconds(Int(words[1]))) : (SIGTERM, nil) }
                    kill(getpid(), number)
                    if count != 8 { return }
                }
            }
        }
    }
#endif
