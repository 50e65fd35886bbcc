package import TapeFormat

/// A place in a session that a user has marked.
package struct Bookmark: Sendable, Equatable {
    package struct Content: Sendable, Equatable {
        package let seq: Int
        package let text: String
        package let author: String?

        package init(seq: Int, text: String, author: String?) {
            (self.seq, self.text, self.author) = (seq, text, author)
        }
    }

    /// The bookmark's number in the session; never reused.
    package let number: Int
    package let content: Content
    /// The server's clock, in ms since 1970.
    package let made: Int

    package init(number: Int, content: Content, made: Int) {
        (self.number, self.content, self.made) = (number, content, made)
    }

    package var json: JSON {
        var json = JSON.Object([
            ("n", .number(.init(number))), ("seq", .number(.init(content.seq))), ("text", .string(content.text)),
        ])
        json["author"] = content.author.map(JSON.string)
        json["made"] = .string(Session.text(made))
        return .object(json)
    }
}
