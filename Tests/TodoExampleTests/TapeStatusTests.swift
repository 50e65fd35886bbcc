import StateTape
import TapeUplink
import Testing

@testable import TodoExample

@Suite struct TapeStatusTests {
    @Test("The status line shows the recording, the connection, and whether the state was applied")
    func line() {
        var status = TapeStatus()
        #expect(status.line.plain == " ○ not recording: pass --url or set STATETAPE_URL")
        status.address = "http://127.0.0.1:8080/"
        #expect(status.line.plain == " ◌ connecting to http://127.0.0.1:8080/")
        status.isApplied = true
        #expect(status.line.plain == " ◌ connecting to http://127.0.0.1:8080/  ⟵ applied state")
    }

    @Test(
        "A message about the connection is in the status line; the app shows any other",
        arguments: [
            (.connected(session: "01JD3M8Q5R7V2X9B4N6T0KZYWE"), " ● recording to http://127.0.0.1:8080/", nil),
            (
                .disconnected(reason: "refused"),
                " ◌ No connection to the server: refused. The recorder retries until it connects.", nil
            ),
            (.ended(reason: "it is full"), " ◌ The server ended the recording: it is full", nil),
            (.off(reason: "there is no address", isAsked: false), " ◌ connecting to http://127.0.0.1:8080/", nil),
            (
                .off(reason: "this is a SwiftUI preview", isAsked: true), " ◌ connecting to http://127.0.0.1:8080/",
                "StateTape is off: this is a SwiftUI preview."
            ),
        ] as [(RecorderStatus, String, String?)])
    func message(_ report: RecorderStatus, line: String, shown: String?) {
        var status = TapeStatus()
        status.address = "http://127.0.0.1:8080/"
        let message = status.take(report)
        #expect(status.line.plain == line && message == shown)
    }
}
