import TapeFormat

// Free text that people and apps write.
extension Redactor {
    /// Removes what follows a secret's name and a `:`, `=`, `(` or `>`, or the word “Bearer”.
    ///
    /// It removes the text to the end of the line. It removes all the rest if the text begins with a quote, a bracket,
    /// a dash or another line, since the secret may span several lines.
    func readable(_ text: String) -> String {
        var text = text
        return text.withUTF8 { text in
            var readable: [UInt8] = []
            var place = 0
            while let secret = secret(in: text, from: place) {
                readable += text[place..<secret.lowerBound]
                readable += Redacted.key.utf8
                place = secret.upperBound
            }
            return String(decoding: readable + text[place...], as: UTF8.self)
        }
    }

    /// The range of the value after the first secret's name.
    private func secret(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int>? {
        func skip(_ skipped: StaticString, from index: Int) -> Int {
            let skipped = UnsafeBufferPointer(start: skipped.utf8Start, count: skipped.utf8CodeUnitCount)
            return text[index...].firstIndex { !skipped.contains($0) } ?? text.count
        }
        var start = start
        while let word = words.word(in: text, from: start) {
            start = word.upperBound
            let end = text.nameEnd(from: word.upperBound)
            let isBearer = text[word].elementsEqual("Bearer".utf8) || text[word].elementsEqual("bearer".utf8)
            var value = skip(" \t\"'`”’\\])", from: end)
            if value < text.count, [":", "=", "(", ">"].contains(UnicodeScalar(text[value])) {
                value = skip(" \t=>", from: value + 1)
            } else if isBearer, value > end {
                value = skip(" \t", from: end)
            } else {
                continue
            }
            guard value < text.count else { return nil }
            let goesOn: [UnicodeScalar] = ["\n", "\r", "\"", "'", "`", "\\", "[", "{", "(", "<", "-"]
            if goesOn.contains(UnicodeScalar(text[value])) || text[value] >= 0x80 { return value..<text.count }
            return value..<(text[value...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count)
        }
        return nil
    }

    /// An error's description without the value that an `EncodingError` holds: that may be the whole state.
    func readable(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else {
            return readable(String(describing: error))
        }
        let path = context.codingPath.pointer
        return readable(context.debugDescription) + (path.isEmpty ? "" : ", at “\(secretPlace(in: path) ?? path)”")
    }

    /// Removes what the path and the message of a push's answer reveal of a secret.
    func readable(_ failure: Pushed.Failure) -> Pushed.Failure {
        guard let path = failure.path, let place = secretPlace(in: path) else { return failure }
        let message = failure.code == "decode" ? "the app can't read what was pushed here" : failure.message
        return Pushed.Failure(code: failure.code, message: message, path: place)
    }

    /// Removes what the paths and the reasons reveal of a secret.
    func readable(_ adjustments: Adjustments) -> Adjustments {
        Adjustments(
            filled: readable(adjustments.filled), ignored: readable(adjustments.ignored),
            kept: readable(adjustments.kept), lost: adjustments.lost.map(readable))
    }

    private func readable(_ loss: Adjustments.Loss) -> Adjustments.Loss {
        var readable = loss
        (readable.cause, readable.tellsSecret) = (nil, true)
        readable.path = secretPlace(in: loss.path) ?? loss.path
        // Nothing of a secret that the tape lacks is in the reason.
        if loss.isSecret { return readable }
        let failure = Pushed.Failure(
            code: loss.tellsSecret ? "decode" : "redacted", message: loss.reason, path: loss.cause ?? loss.path)
        let told = self.readable(failure)
        readable.reason = told.message
        if let cause = told.path, loss.cause != nil, cause != readable.path { readable.reason += " (at \(cause))" }
        return readable
    }

    /// Shortens pointers so that they hold no keys of secret dictionaries.
    func readable(_ pointers: [String]) -> [String] {
        var told: Set<String> = []
        return pointers.map { secretPlace(in: $0) ?? $0 }.filter { told.insert($0).inserted }
    }

    /// The labels of a header. Of two with the same name, the later one counts.
    func labels(_ labels: [(String, String)]) -> [String: String] {
        Dictionary(labels.map { ($0, isSecret($0) ? Redacted.key : readable($1)) }, uniquingKeysWith: { $1 })
    }
}
