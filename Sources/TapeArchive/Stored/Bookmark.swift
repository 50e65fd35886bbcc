package import TapeFormat

/// A place in a session that a user has marked.
package struct Bookmark: Sendable, Equatable {
    package struct Place: Sendable, Equatable {
        package let seq: Int
        package let text: String
        package let author: String?

        package init(seq: Int, text: String, author: String?) {
            (self.seq, self.text, self.author) = (seq, text, author)
        }
    }

    /// The bookmark's number in the session; never reused.
    package let number: Int
    package let place: Place
    /// The server's clock, in ms since 1970.
    package let made: Int

    package init(number: Int, place: Place, made: Int) {
        (self.number, self.place, self.made) = (number, place, made)
    }

    package var json: JSON {
        var json = JSON.Object([
            ("n", .number(.init(number))), ("seq", .number(.init(place.seq))), ("text", .string(place.text)),
        ])
        json["author"] = place.author.map(JSON.string)
        json["made"] = .string(Session.text(made))
        return .object(json)
    }
}
