import Testing

@testable import StateTapeCommand

@Suite("The server of a run") struct RunServerTests {
    @Test("Its app waits longer for the launch state, unless the environment says how long")
    func launchWait() throws {
        let server = try RunServer("http://127.0.0.1:1/", token: nil)
        #expect(server.environment([:])["STATETAPE_LAUNCH_WAIT"] == "5")
        #expect(server.environment(["STATETAPE_LAUNCH_WAIT": "0"])["STATETAPE_LAUNCH_WAIT"] == "0")
    }

    @Test("Its app gets the token in the URL, also if the environment has another one")
    func token() throws {
        let server = try RunServer("http://127.0.0.1:1/#token=good", token: nil)
        #expect(server.environment(["STATETAPE_TOKEN": "old"])["STATETAPE_TOKEN"] == "good")
    }
}
