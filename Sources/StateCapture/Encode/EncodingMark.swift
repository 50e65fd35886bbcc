package import Foundation

/// Whether this thread runs app code that the recorder called: `encode(to:)`, or the `state:` of `connect`.
///
/// Recording an action that this code dispatches would call the code again, without end. Such an action is not
/// recorded.
package enum EncodingMark {
    @usableFromInline package static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    @inlinable package static var isSet: Bool {
        guard let key else { return false }
        return pthread_getspecific(key) != nil
    }

    @inlinable package static func set<Output, Failure: Error>(
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        guard let key else { return try body() }
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        defer { pthread_setspecific(key, outer) }
        return try body()
    }
}
