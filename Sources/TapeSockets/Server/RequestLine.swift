/// The first line of an HTTP request. Pure.
struct RequestLine {
    typealias Fault = RequestHead.Fault

    /// The most parameters of a query.
    static let maxMembers = 256

    let method: String
    /// The host in an absolute target, as sent to a proxy.
    private(set) var authority: String?
    let path: String
    let query: [(name: String, value: String)]
    let isHTTP11: Bool

    init(_ line: ArraySlice<UInt8>) throws(Fault) {
        let parts = line.split(separator: 32, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].count <= 32, parts[0].allSatisfy(RequestHead.isToken)
        else {
            throw Fault(400, "The request line is malformed.")
        }
        method = String(decoding: parts[0], as: UTF8.self)
        isHTTP11 = try Self.isHTTP11(parts[2])
        // Visible ASCII, as in RFC 3986.
        guard parts[1].allSatisfy({ (33...126).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw Fault(400, "The request's target is malformed.")
        }
        var target = parts[1]
        if target.first != UInt8(ascii: "/") {
            guard let (authority, rest) = Self.absolute(target) else {
                throw Fault(400, "The request's target is not a path.")
            }
            self.authority = authority
            target = rest
        }
        let mark = target.firstIndex(of: UInt8(ascii: "?"))
        path = target.isEmpty ? "/" : try Self.decoded(target[..<(mark ?? target.endIndex)], plusIsSpace: false)
        query = try mark.map { mark throws(Fault) in try Self.members(target[(mark + 1)...]) } ?? []
    }

    private static func isHTTP11(_ version: ArraySlice<UInt8>) throws(Fault) -> Bool {
        let text = String(decoding: version, as: UTF8.self)
        if text == "HTTP/1.1" { return true }
        if text == "HTTP/1.0" { return false }
        let digits = version.dropFirst(5)
        let isVersion =
            text.hasPrefix("HTTP/") && digits.count == 3 && digits.dropFirst().first == UInt8(ascii: ".")
        throw isVersion ? Fault(505, "The server speaks HTTP/1.1.") : Fault(400, "The request line is malformed.")
    }

    /// The authority of `http://…`, and the path after it.
    private static func absolute(_ target: ArraySlice<UInt8>) -> (authority: String, rest: ArraySlice<UInt8>)? {
        let text = String(decoding: target, as: UTF8.self).lowercased()
        guard let scheme = ["http://", "https://"].first(where: { text.hasPrefix($0) }) else { return nil }
        let rest = target.dropFirst(scheme.utf8.count)
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        guard end > rest.startIndex, end == rest.endIndex || rest[end] == UInt8(ascii: "/") else { return nil }
        return (String(decoding: rest[..<end], as: UTF8.self), rest[end...])
    }

    private static func members(_ query: ArraySlice<UInt8>) throws(Fault) -> [(name: String, value: String)] {
        var members: [(name: String, value: String)] = []
        for member in query.split(separator: UInt8(ascii: "&"), maxSplits: maxMembers) {
            guard members.count < maxMembers else { throw Fault(400, "A query can have \(maxMembers) parameters.") }
            let parts = member.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = try parts.count > 1 ? decoded(parts[1], plusIsSpace: true) : ""
            members.append((try decoded(parts[0], plusIsSpace: true), value))
        }
        return members
    }

    /// Percent-decodes text. Refuses a zero byte, which would end the text in C code.
    private static func decoded(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) throws(Fault) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit),
                    high + low > 0
                else { throw Fault(400, "A percent sign in the target needs two hexadecimal digits.") }
                result.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: result.append(32)
            default: result.append(byte)
            }
        }
        guard let text = String(utf8: result) else {
            throw Fault(400, "The request's target is not UTF-8.")
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
