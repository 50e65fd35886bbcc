/// A value that moves from one thread to another.
// Unchecked: the sender does not touch it again.
struct UncheckedSendable<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
