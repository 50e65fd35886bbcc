import TapeArchive
import TapeSockets

/// Answers the requests that other servers pass to this one.
struct PassedRequests: CoreService {
    let routes: Routes

    func handle(_ event: CoreEvent) {
        guard case .peer(.request(let request, let answer)) = event else { return }
        let exchange = request.exchange(answer: answer)
        // A path without a route, perhaps from a server of another version.
        if !routes.handle(exchange) {
            exchange.respond(Problem(404, "not-found", "Nothing exists at this URL.").response)
        }
    }
}
