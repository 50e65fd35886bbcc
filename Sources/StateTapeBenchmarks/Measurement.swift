import Foundation
import TapeFormat

/// One line of the output.
struct Measurement {
    let bench: String
    let name: String
    let value: Double
    let unit: String
    let better: Better
    var floor: (name: String, value: Double)?

    /// How this program was built: an app that is recorded most often is a debug build.
    private static let build: JSON = {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }()

    enum Better: String {
        case lower, higher
    }

    func print() {
        var line = JSON.Object([
            ("bench", .string(bench)), ("case", .string(name)), ("value", Measurement.rounded(value)),
            ("unit", .string(unit)), ("better", .string(better.rawValue)),
            ("build", Measurement.build),
        ])
        if let floor {
            line["floor"] = Measurement.rounded(floor.value)
            line["floorName"] = .string(floor.name)
            line["ratio"] = Measurement.rounded(value / floor.value)
        }
        FileHandle.standardOutput.write(Data((JSON.object(line).text + "\n").utf8))
    }

    /// Rounds to three significant digits, the precision of the measurement.
    private static func rounded(_ value: Double) -> JSON {
        guard value != 0, value.isFinite else { return 0 }
        let text = String(format: "%.3g", value)
        return Double(text).flatMap(JSON.Number.init).map(JSON.number) ?? 0
    }
}

extension [Double] {
    var median: Double { isEmpty ? .nan : sorted()[count / 2] }
    var mean: Double { reduce(0, +) / Double(count) }
}
