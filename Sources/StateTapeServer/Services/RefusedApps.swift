import TapeFormat

/// Notes which apps the server refused.
struct RefusedApps: CoreService {
    let refusals: RefusedConnections

    func handle(_ event: CoreEvent) {
        guard case .refused(let peer, let error) = event else { return }
        refusals.add(peer: peer, path: "/v1/app", code: error.code, detail: error.message)
    }
}
