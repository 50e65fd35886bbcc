import SampleTapes
import TapeFormat
import Testing

@testable import StateTapeServer

@Suite(.timeLimit(.minutes(1))) struct CausesTests {
    private let path = TestServer.session

    /// An action that another event started.
    private func action(_ seq: Int, cause: Int) -> EventLine {
        EventLine(
            seq: seq, at: Double(seq), kind: .action,
            members: [
                ("action", ["type": "a"]), ("patch", []), ("cause", ["seq": .number(.init(cause))]),
            ])
    }

    @Test("The server answers with an event's causes and effects, sealed or not, and finds its direct effects")
    func causes() async throws {
        let server = try TestServer()
        let lines =
            Sample.counting(to: 300) + (300..<600).map { action($0, cause: $0 % 2 == 0 ? $0 - 300 : $0 - 1) }
        let app = try await server.recorded(lines)
        func seqs(_ heads: JSON?) -> [Int?] { heads?.array?.map { $0["seq"]?.int } ?? [] }
        let tree = try await server.http.get(path + "/events/10/causes").json()
        #expect(seqs(tree["causes"]) == [] && seqs(tree["effects"]) == [310, 311])
        #expect(tree["count"] == 2 && tree["next"] == .null && tree["committed"] == 600)
        let leaf = try await server.http.get(path + "/events/311/causes").json()
        #expect(seqs(leaf["causes"]) == [10, 310] && seqs(leaf["effects"]) == [])
        let found = try await server.http.get(path + "/matches?cause=10&cause=310&cause=0").json()
        #expect(found["seqs"] == [300, 310, 311])
        #expect(try await server.http.get(path + "/events/600/causes").code == "event-absent")
        for cause in ["x", "-1", "%2B1", "1.0", "9007199254740992", "99999999999999999999"] {
            let answer = try await server.http.get(path + "/matches?cause=" + cause)
            #expect(answer.status == 400 && answer.text.contains("“cause”"), "\(cause): \(answer.text)")
        }
        app.close()
    }
}
