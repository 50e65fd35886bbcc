#if Server
    import TapeFormat

    /// A place of a session that somebody has marked.
    struct Bookmark: Sendable, Equatable {
        struct Place: Sendable, Equatable {
            let seq: Int
            let text: String
            let author: String?
        }

        /// Its name within the session; never given again.
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
#endif
