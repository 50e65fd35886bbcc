/// The name of a generic type, such as `Finished<Cart.Ask>`.
enum TypeName {
    /// Returns a reflected name without the places that are private to a file, which differ in each process.
    static func withoutPlaces(_ reflected: String) -> String {
        var name = ""
        var rest = reflected[...]
        while let first = rest.first {
            if rest.hasPrefix("(unknown context"), let end = rest.firstIndex(of: ")") {
                rest = rest[rest.index(after: end)...].drop { $0 == "." }
            } else {
                name.append(first)
                rest = rest.dropFirst()
            }
        }
        return name
    }

    /// Returns a reflected name without modules, and without the places that are private to a file. The outer types of
    /// the arguments stay, because features have nested types of the same name.
    static func withoutModules(_ reflected: String) -> String {
        var name = ""
        var rest = reflected[...]
        // Each name begins with its module; a name that goes on after “>” doesn't.
        var isModule = true
        while let first = rest.first {
            if rest.hasPrefix("(unknown context"), let end = rest.firstIndex(of: ")") {
                rest = rest[rest.index(after: end)...].drop { $0 == "." }
                continue
            }
            let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            rest = rest.dropFirst(word.count)
            if word.isEmpty {
                name.append(first)
                rest = rest.dropFirst()
                isModule = first != "." && first != ">"
            } else if isModule, rest.first == "." {
                rest = rest.dropFirst()
                isModule = false
            } else {
                name += word
            }
        }
        return name
    }
}
