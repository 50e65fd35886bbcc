import TapeFormat

/// A place in a session that a user has marked.
struct Bookmark: Sendable, Equatable {
    struct Place: Sendable, Equatable {
        let seq: Int
        let text: String
        let author: String?
    }

    /// The bookmark's number in the session; never reused.
    let number: Int
    let place: Place
    /// The server's clock, in ms since 1970.
    let made: Int

    var json: JSON {
        var json = JSON.Object([
            ("n", .number(.init(number))), ("seq", .number(.init(place.seq))), ("text", .string(place.text)),
        ])
        json["author"] = place.author.map(JSON.string)
        json["made"] = .string(Session.text(made))
        return .object(json)
    }
}
