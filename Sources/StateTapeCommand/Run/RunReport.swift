import Foundation
import TapeFormat

/// What a run tells the server, and with it the page.
struct RunReport: Sendable {
    enum Status: String { case building, failed, running, stopped }

    var status: Status
    let command: String
    var changed: [String] = []
    var errors: [BuildError] = []
    var message: String?
    var seconds: Double?
    var buildSeconds: Double?

    var json: JSON {
        var object = JSON.Object([
            ("status", .string(status.rawValue)), ("command", .string(command.limited(4_000))),
            ("changed", .array(changed.prefix(100).map { .string($0.limited(4_000)) })),
            ("errors", .array(errors.prefix(100).map(\.json))),
        ])
        object["message"] = message.map { .string($0.limited(4_000)) }
        for (name, value) in [("seconds", seconds), ("buildSeconds", buildSeconds)] {
            object[name] = value.flatMap { JSON.Number(($0 * 1_000).rounded() / 1_000) }.map(JSON.number)
        }
        return .object(object)
    }
}
