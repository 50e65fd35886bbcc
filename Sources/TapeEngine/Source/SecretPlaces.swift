package import TapeFormat

extension JSON {
    /// The places whose values were left out of the tape as secrets, in the order of the text.
    ///
    /// - Parameter path: The place of this value.
    package func secretPlaces(at path: Pointer = Pointer()) -> [Pointer] {
        switch self {
        case .object(let object)
        where object.count == 1 && object[0].key == "$redacted"
            && (object[0].value == true || object[0].value.string != nil):
            [path]
        case .object(let object): object.flatMap { $0.value.secretPlaces(at: path.appending($0.key)) }
        case .array(let elements):
            elements.enumerated().flatMap { $1.secretPlaces(at: path.appending($0)) }
        case .null, .bool, .number, .string: []
        }
    }
}
