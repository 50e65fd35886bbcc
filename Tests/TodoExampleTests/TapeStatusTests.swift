import Testing

@testable import TodoExample

@Suite struct TapeStatusTests {
    @Test("The status line shows the recording, the connection, and whether the state was applied")
    func line() {
        var status = TapeStatus()
        #expect(status.line.plain == " ○ not recording: pass --url or set STATETAPE_URL")
        status.address = "http://127.0.0.1:8080/"
        #expect(status.line.plain == " ◌ connecting to http://127.0.0.1:8080/")
        let isLink = status.take("Connected; the session is 01JD3M8Q5R7V2X9B4N6T0KZYWE.")
        #expect(isLink)
        #expect(status.line.plain == " ● recording to http://127.0.0.1:8080/")
        status.isApplied = true
        #expect(status.line.plain == " ● recording to http://127.0.0.1:8080/  ⟵ applied state")
        status.isApplied = false
        let isLoss = status.take("No connection to the server: refused. It is tried again.")
        #expect(isLoss)
        #expect(status.line.plain == " ◌ No connection to the server: refused. It is tried again.")
        let isOther = status.take("A push could not be played: no such key")
        #expect(!isOther)
    }
}
