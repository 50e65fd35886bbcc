extension JSON {
    /// A number with its source text. It is never reformatted, so that a 64-bit identifier or a price stays exact.
    public struct Number: Sendable, Hashable, CustomStringConvertible {
        /// The source text, a valid JSON number.
        public let text: String

        /// Makes a number from text that the reader has validated.
        init(checked text: String) {
            self.text = text
        }

        /// Makes a number from JSON text; nil if the text isn't a JSON number or exceeds a limit of the format.
        public init?(_ text: String) {
            guard let value = try? JSON(parsing: text), case .number(let number) = value,
                number.text.count == text.utf8.count
            else { return nil }
            self = number
        }

        public init(_ value: some BinaryInteger) {
            text = String(value)
        }

        /// Makes a number with the shortest text that gives the same value; nil if the value isn't finite.
        public init?(_ value: Double) {
            guard value.isFinite else { return nil }
            if let integer = Int(exactly: value), integer != 0 || value.sign == .plus, integer.magnitude < 1 << 53 {
                text = String(integer)
            } else {
                text = value.description
            }
        }

        public var description: String { text }

        /// The value as an `Int`, in any notation; nil if it isn't an integer or is out of range.
        public var int: Int? {
            if let int = Int(text) { return text == "-0" ? nil : int }
            let decimal = Decimal(text)
            guard decimal.exponent >= 0, decimal.exponent <= 19, !decimal.digits.isEmpty else {
                return decimal.digits.isEmpty && !decimal.isNegative ? 0 : nil
            }
            let digits =
                String(decoding: decimal.digits, as: UTF8.self) + String(repeating: "0", count: decimal.exponent)
            return Int((decimal.isNegative ? "-" : "") + digits)
        }

        /// The nearest `Double`; infinite if the number is out of range.
        public var double: Double { Double(text) ?? .nan }

        /// The ASCII digits without leading and trailing zeros and without the decimal point; the same for equal numbers.
        package var significantDigits: [UInt8] { Decimal(text).digits }

        public static func == (left: Number, right: Number) -> Bool {
            left.text.hasSameUTF8(as: right.text) || Decimal(left.text) == Decimal(right.text)
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(Decimal(text))
        }
    }

    /// A number's exact value: ±digits × 10^exponent, without leading and trailing zeros.
    private struct Decimal: Hashable {
        var isNegative = false
        var digits: [UInt8] = []
        var exponent = 0

        init(_ text: String) {
            var fraction = 0
            var inFraction = false
            var rest = text.utf8[...]
            if rest.first == UInt8(ascii: "-") {
                isNegative = true
                rest = rest.dropFirst()
            }
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "."): inFraction = true
                case UInt8(ascii: "e"), UInt8(ascii: "E"):
                    let sign = rest.first == UInt8(ascii: "+") ? rest.dropFirst() : rest
                    exponent = Int(String(Substring(sign))) ?? 0
                    rest = rest[rest.endIndex...]
                default:
                    if !(digits.isEmpty && byte == UInt8(ascii: "0")) { digits.append(byte) }
                    if inFraction { fraction += 1 }
                }
            }
            exponent -= fraction
            while digits.last == UInt8(ascii: "0") {
                digits.removeLast()
                exponent += 1
            }
            if digits.isEmpty { exponent = 0 }
        }
    }
}
