import Foundation
import TapeFormat

/// A type that the encoder writes as a JSON value without calling the type's own coding.
protocol JSONValue {
    init(decoding decoder: OverlayDecoder) throws
}

extension Bool: JSONValue {
    init(decoding decoder: OverlayDecoder) throws {
        guard let value = decoder.json.bool else { throw decoder.mismatch(Bool.self, "a boolean") }
        self = value
    }
}

extension String: JSONValue {
    init(decoding decoder: OverlayDecoder) throws {
        guard let value = decoder.json.string else { throw decoder.mismatch(String.self, "a string") }
        self = value
    }
}

extension FixedWidthInteger {
    init(decoding decoder: OverlayDecoder) throws {
        guard let number = decoder.json.number else { throw decoder.mismatch(Self.self, "a number") }
        // The text itself first: it is exact at every width. `1e3` and `5.0` are whole as well.
        guard let value = Self(number.text) ?? number.int.flatMap({ Self(exactly: $0) }) else {
            throw decoder.corrupted("\(number.text.prefix(40)) is not of the type \(Self.self)")
        }
        self = value
    }
}

extension Int: JSONValue {}
extension Int8: JSONValue {}
extension Int16: JSONValue {}
extension Int32: JSONValue {}
extension Int64: JSONValue {}
extension UInt: JSONValue {}
extension UInt8: JSONValue {}
extension UInt16: JSONValue {}
extension UInt32: JSONValue {}
extension UInt64: JSONValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: JSONValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: JSONValue {}

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
    init(decoding decoder: OverlayDecoder) throws {
        switch decoder.json {
        case .number(let number):
            guard let value = Self(number.text), value.isFinite else {
                throw decoder.corrupted("\(number.text.prefix(40)) does not fit \(Self.self)")
            }
            self = value
        case .string("nan"): self = .nan
        case .string("inf"): self = .infinity
        case .string("-inf"): self = -.infinity
        default: throw decoder.mismatch(Self.self, "a number")
        }
    }
}

extension Double: JSONValue {}
extension Float: JSONValue {}

extension Data: JSONValue {
    init(decoding decoder: OverlayDecoder) throws {
        guard let text = decoder.json.string else { throw decoder.mismatch(Data.self, "a string in base 64") }
        guard let data = Data(base64Encoded: text) else { throw decoder.corrupted("the text is not base 64") }
        self = data
    }
}

extension URL: JSONValue {
    init(decoding decoder: OverlayDecoder) throws {
        guard let text = decoder.json.string else { throw decoder.mismatch(URL.self, "a string") }
        guard let url = URL(string: text) else { throw decoder.corrupted("“\(text.prefix(100))” is not a URL") }
        self = url
    }
}

extension Decimal: JSONValue {
    init(decoding decoder: OverlayDecoder) throws {
        if decoder.json == "nan" {
            self = .nan
            return
        }
        guard let number = decoder.json.number else { throw decoder.mismatch(Decimal.self, "a number") }
        guard let value = Decimal(string: number.text, locale: Locale(identifier: "en_US_POSIX")) else {
            throw decoder.corrupted("\(number.text.prefix(40)) does not fit Decimal")
        }
        self = value
    }
}
