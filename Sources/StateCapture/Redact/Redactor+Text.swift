package import TapeFormat

// Free text that people and apps write: notes, errors, and the texts of states and actions.
extension Redactor {
    /// How long a text may be in bytes to be decoded: that takes many times its memory.
    static let longestDocument = 1 << 20

    /// A text without the secrets that it names; see ``redacted(_:)``.
    package func readable(_ text: String) -> String { redacted(text) ?? text }

    /// Removes what follows a secret's name, such as `password=`, `Authorization:` and `?access_token=`, what follows
    /// `Bearer` and `Basic`, and the password of `https://user:password@host`; nil if there is none.
    ///
    /// It removes the text to the end of the line. It removes all the rest if the text begins with a quote, a bracket,
    /// a dash or another line, since the secret may span several lines. In a text that is a whole JSON document, it
    /// redacts the values as in a state. It takes time in proportion to the text's length.
    func redacted(_ text: String) -> String? {
        guard !words.isEmpty else { return nil }
        var text = text
        return text.withUTF8 { bytes in
            if let json = redactedDocument(bytes) { return json }
            let (secrets, places) = secrets(in: bytes)
            guard !secrets.isEmpty else { return nil }
            var (readable, place): ([UInt8], Int) = ([], 0)
            for secret in secrets {
                let start = places?[secret.lowerBound] ?? secret.lowerBound
                readable += bytes[place..<max(start, place)]
                readable += Redacted.key.utf8
                place = places?[secret.upperBound] ?? secret.upperBound
            }
            return String(decoding: readable + bytes[place...], as: UTF8.self)
        }
    }

    /// Where running text has secrets, and where each byte of its decoded form comes from; nil if that is the same.
    func secrets(in text: UnsafeBufferPointer<UInt8>) -> (ranges: [Range<Int>], places: [Int]?) {
        guard !words.isEmpty else { return ([], nil) }
        let decoded = text.count <= Self.longestDocument ? PercentDecoded(text) : nil
        let ranges = decoded?.bytes.withUnsafeBufferPointer { SecretTexts(in: $0, self).ranges }
        return (ranges ?? SecretTexts(in: text, self).ranges, decoded?.places)
    }

    /// Whether a text may be a JSON document.
    func startsDocument(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let first = text.first { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }
        return [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(first)
    }

    /// The text of a JSON document without its secrets; nil if it is none, or has none.
    private func redactedDocument(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        guard text.count <= Self.longestDocument, startsDocument(text),
            words.word(in: text) != nil || text.contains(UInt8(ascii: "\\")),
            let json = try? JSON(parsing: [UInt8](text))
        else { return nil }
        let redacted = redacted(json)
        return redacted == json ? nil : redacted.text
    }

    /// A JSON value as the tape has it.
    func redacted(_ json: JSON) -> JSON {
        switch json {
        case .string(let text): return redacted(text).map { Redacted.json(readable: $0) } ?? json
        case .array(let elements): return .array(elements.map(redacted))
        case .object(let object):
            let meanings = object.map { meaning(of: $0.key).inDictionary($0.key) }
            let values = zip(object, meanings).map { $1.contains(.secret) ? Redacted.json : redacted($0.value) }
            var siblings = SiblingNaming()
            for index in values.indices where meanings[index].contains(.name) {
                siblings.add(naming(of: values[index]), at: index)
            }
            return .object(
                JSON.Object(
                    object.enumerated().map { index, member in
                        let isNamed =
                            meanings[index].contains(.value) && siblings[index].isSecret(values[index].firstByte)
                        return (member.key, isNamed ? Redacted.json : values[index])
                    }))
        case .null, .bool, .number: return json
        }
    }

    /// An error's description without the value that an `EncodingError` holds: that may be the whole state.
    package func readable(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context)? = error as? EncodingError else {
            return readable(String(describing: error))
        }
        let path = context.codingPath.pointer
        return readable(context.debugDescription) + (path.isEmpty ? "" : ", at “\(secretPlace(in: path) ?? path)”")
    }

    /// Removes what the path and the message of a push's answer reveal of a secret.
    package func readable(_ failure: Pushed.Failure) -> Pushed.Failure {
        guard let path = failure.path, let place = secretPlace(in: path) else { return failure }
        let message = failure.code == .decode ? "the app can't read what was pushed here" : failure.message
        return Pushed.Failure(code: failure.code, message: message, path: place)
    }

    /// Removes what the paths and the reasons reveal of a secret.
    package func readable(_ adjustments: Adjustments) -> Adjustments {
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
            code: loss.tellsSecret ? .decode : .redacted, message: loss.reason, path: loss.cause ?? loss.path)
        let told = self.readable(failure)
        readable.reason = told.message
        if let cause = told.path, loss.cause != nil, cause != readable.path { readable.reason += " (at \(cause))" }
        return readable
    }

    /// Shortens pointers so that they hold no keys of secret dictionaries.
    package func readable(_ pointers: [String]) -> [String] {
        var told: Set<String> = []
        return pointers.map { secretPlace(in: $0) ?? $0 }.filter { told.insert($0).inserted }
    }

    /// The labels of a header. Of two with the same name, the later one counts.
    package func labels(_ labels: [(String, String)]) -> [String: String] {
        Dictionary(labels.map { ($0, isSecret($0) ? Redacted.key : readable($1)) }, uniquingKeysWith: { $1 })
    }
}

extension JSON {
    /// The first byte of its text.
    fileprivate var firstByte: UInt8? {
        switch self {
        case .object: UInt8(ascii: "{")
        case .array: UInt8(ascii: "[")
        case .string: UInt8(ascii: "\"")
        case .null, .bool, .number: text.utf8.first
        }
    }
}
