import Testing

@testable import TodoExample

@Suite struct TapeStatusTests {
    @Test("The foot tells whether the app is recorded, how the link stands, and whether the state was played in")
    func line() {
        var status = TapeStatus()
        #expect(status.line.plain == " ○ tape off: give --url or STATETAPE_URL to record")
        status.address = "http://127.0.0.1:8080/"
        #expect(status.line.plain == " ◌ connecting to http://127.0.0.1:8080/")
        let isLink = status.take("Connected; the session is 01JD3M8Q5R7V2X9B4N6T0KZYWE.")
        #expect(isLink)
        #expect(status.line.plain == " ● recording to http://127.0.0.1:8080/")
        status.isPlayedIn = true
        #expect(status.line.plain == " ● recording to http://127.0.0.1:8080/  ⟵ this state was played in")
        status.isPlayedIn = false
        let isLoss = status.take("No connection to the server: refused. It is tried again.")
        #expect(isLoss)
        #expect(status.line.plain == " ◌ No connection to the server: refused. It is tried again.")
        let isOther = status.take("A push could not be played: no such key")
        #expect(!isOther)
    }
}
