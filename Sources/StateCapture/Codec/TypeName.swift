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

    /// The longest name that the tape has, in bytes.
    private static let longest = 512

    /// The name of a type as source code can have it, with its module; nil if source code can't name it, such as a
    /// function's type.
    ///
    /// - Parameter isProtocol: Whether it is a value behind a protocol, which its name alone doesn't tell.
    static func inSource(_ type: Any.Type, isProtocol: Bool = false) -> String? {
        var name = String(reflecting: type)
            .replacing(/\(unknown context at \$[0-9a-f]+\)/, with: hidden)
            .replacing(/\(extension in \w+\):/, with: "")
            // The arguments of a protocol: `any Rule<Self.Store.Rule.State == Shop.State>`.
            .replacing(#/Self\.[\w.]+ == /#, with: "")
            // Where the types of Foundation are on Linux.
            .replacing("FoundationEssentials.", with: "Foundation.")
        if isProtocol, !name.hasPrefix("any ") { name = "any " + name }
        let isWritable = name.replacing(hidden, with: "").allSatisfy {
            $0.isLetter || $0.isNumber || "_.<>,& ".contains($0)
        }
        return isWritable && name.utf8.count <= longest ? name : nil
    }

    /// The name of a type without its module, such as `Cart.State`; nil for one that is too long or no plain name.
    static func short(_ type: Any.Type) -> String? {
        let name = withoutModules(String(reflecting: type).replacing(/\(extension in \w+\):/, with: ""))
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "_.<>, ".contains($0) }
        return isPlain && name.utf8.count <= longest / 2 ? name : nil
    }

    /// The place of a type that its file or function hides.
    private static let hidden = "(private)"
}
