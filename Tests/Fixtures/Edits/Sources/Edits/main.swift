import Foundation
import StateTape

// Prints the state that it starts with, records one action, and ends when its input ends.
let tape = Recorder(.init(redaction: .standard))
migrate(tape)
let track = tape.track(AppState(), AppAction.self)
var state = track.start
let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
print(String(decoding: try encoder.encode(state), as: UTF8.self))
track.record(.fill, &state) { $0.fill() }
while readLine() != nil {}
guard tape.finish(timeout: .seconds(10)) else { exit(1) }
