import Foundation
import Testing

@testable import StateTape

@Suite("The recorder's configuration")
struct ConfigurationTests {
    @Test("Each option has its default")
    func defaults() {
        let options = Recorder.Configuration()
        #expect(options.url == nil && options.token == nil && options.file == nil)
        #expect(!options.allowRelease && !options.verify && !options.callStacks && options.crashSafe)
        #expect(options.comparison == .automatic && options.spoolLimit == 64 << 20)
        #expect(!options.tellsUnasked)
    }

    @Test("The spool has at least 1 MiB", arguments: [(0, 1 << 20), (1 << 20, 1 << 20), (5 << 20, 5 << 20)])
    func spool(_ asked: Int, _ limit: Int) {
        #expect(Recorder.Configuration(spoolLimit: asked).spoolLimit == limit)
        var changed = Recorder.Configuration()
        changed.spoolLimit = asked
        #expect(changed.spoolLimit == limit)
    }

    @Test("A file in code wins over the environment's, and leaves it the rest")
    func file() {
        var options = Recorder.Configuration(file: "code.tape")
        options.launch = Launch(environment: ["STATETAPE_FILE": "other.tape", "STATETAPE_LABELS": "a=b"])
        let environment = options.launch(in: nil).environment
        #expect(environment == ["STATETAPE_FILE": "code.tape", "STATETAPE_LABELS": "a=b"])
        options.file = nil
        #expect(options.launch(in: nil).environment["STATETAPE_FILE"] == "other.tape")
    }
}
