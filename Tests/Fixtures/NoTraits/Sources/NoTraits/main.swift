import StateTape

struct Counter: Codable { var count = 0 }
enum CounterAction: Codable { case increment }

let tape = Recorder()
let track = tape.track(Counter(), CounterAction.self)
var counter = track.start
track.record(.increment, &counter) { $0.count += 1 }
tape.finish()
print(counter.count, tape.isOn ? "recorded" : "not recorded")
