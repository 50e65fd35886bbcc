import Dispatch
import TapeSockets

/// Where the work of requests is done: control has threads of its own, and the others' threads come after the loop's
/// and control's where cores are few, so that no view-only link keeps it waiting.
struct RequestWork: Sendable {
    let access: Access
    private let control = Workers()
    private let others = Workers(qos: .background)

    func run(_ request: HTTPRequest, _ body: @escaping @Sendable () -> Void) {
        let client = access.client(request)
        (client.role == .control ? control : others).run(for: client, body)
    }

    func stop() {
        control.stop()
        others.stop()
    }
}
