import CCallStack
import Foundation
import TapeFormat

/// Finds the functions of call stacks, each address once.
struct FunctionNames {
    private enum Frame {
        case app(String)
        /// Of a library that begins a thread or runs its tasks.
        case system(String)
        /// Code of the recorder, of its store, or of the compiler.
        case hidden
    }

    private static let own = ["StateTape", "StateTapeStore", "DispatchContext", "StateCapture", "TapeFormat"]
    private static let systems = [
        "libc.", "libc++", "libdispatch.", "libdyld.", "libpthread.", "libsystem_", "libswift", "ld-", "dyld",
    ]
    private static let thunks = [
        "partial apply", "reabstraction thunk", "protocol witness for", "dispatch thunk of", "implicit closure",
        "@objc ",
    ]

    private var known: [UInt: Frame] = [:]
    #if !canImport(Darwin)
        private var files = SymbolTables()
    #endif

    /// The functions of a call stack, the innermost first. Without those of the recorder, and without those that begin
    /// every thread.
    mutating func functions(at addresses: [UInt]) -> [String] {
        var frames = addresses.map { frame(at: $0) }
        while let last = frames.last {
            if case .app = last { break }
            frames.removeLast()
        }
        let functions = frames.compactMap { frame -> String? in
            switch frame {
            case .app(let text), .system(let text): text
            case .hidden: nil
            }
        }
        return functions.count <= Limits.stackFrames ? functions : functions.prefix(Limits.stackFrames - 1) + ["…"]
    }

    private mutating func frame(at address: UInt) -> Frame {
        if let frame = known[address] { return frame }
        let frame = find(address)
        known[address] = frame
        return frame
    }

    private mutating func find(_ address: UInt) -> Frame {
        // The address is that of the instruction after the call, which may belong to the next function.
        let address = address - 1
        var found = call_stack_symbol()
        guard call_stack_find(address, &found), let path = found.file.map({ String(cString: $0) }) else {
            return .app("0x\(String(address, radix: 16))")
        }
        let file = String(path.split(separator: "/").last ?? "")
        var symbol = found.name.map { String(cString: $0) }
        #if !canImport(Darwin)
            symbol = symbol ?? files.name(at: address, in: path, base: found.base)
        #endif
        let isSystem = Self.systems.contains { file.hasPrefix($0) }
        guard let symbol else {
            let text = "0x\(String(address - found.base, radix: 16)) (\(file))"
            return isSystem ? .system(text) : .app(text)
        }
        guard let name = Self.readable(symbol) else {
            let text = Self.cut("\(symbol) (\(file))")
            return isSystem ? .system(text) : .app(text)
        }
        if Self.isOwn(symbol, name) || Self.thunks.contains(where: name.hasPrefix) { return .hidden }
        let text = Self.cut(name)
        return isSystem ? .system(text) : .app(text)
    }

    /// The name of a Swift function with its module, as in `Shop.CartScreen.pay() -> ()`; nil for another symbol.
    static func readable(_ symbol: String) -> String? {
        guard symbol.hasPrefix("$s") || symbol.hasPrefix("_$s") else { return nil }
        var symbol = symbol
        let text = symbol.withUTF8 { bytes -> String? in
            bytes.withMemoryRebound(to: CChar.self) { bytes -> String? in
                guard let text = swift_demangle(bytes.baseAddress, bytes.count, nil, nil, 0) else { return nil }
                defer { free(text) }
                return String(cString: text)
            }
        }
        guard var name = text.map({ Substring($0) }) else { return nil }
        // What the compiler made of a function.
        while true {
            if name.hasPrefix("generic specialization <") || name.hasPrefix("function signature specialization <"),
                let end = name.range(of: "> of ")
            {
                name = name[end.upperBound...]
            } else if name.hasPrefix("("), let end = name.range(of: " resume partial function for ") {
                name = name[end.upperBound...]
            } else if name.hasPrefix("merged ") {
                name = name.dropFirst("merged ".count)
            } else {
                return name == symbol ? nil : withoutFiles(name)
            }
        }
    }

    /// A private name stands as `(press in _61B75580432D4E674D1023C611CC7700)`, with a hash of its file: leaves that out.
    private static func withoutFiles(_ name: Substring) -> String {
        var (text, rest) = ("", name)
        while let file = rest.range(of: " in _") {
            let hash = rest[file.upperBound...].prefix { $0.isHexDigit }
            let before = rest[..<file.lowerBound]
            guard hash.count == 32, rest[hash.endIndex...].first == ")", let start = before.lastIndex(of: "(") else {
                text += rest[..<file.upperBound]
                rest = rest[file.upperBound...]
                continue
            }
            text += before[..<start] + before[start...].dropFirst()
            rest = rest[hash.endIndex...].dropFirst()
        }
        return text + rest
    }

    /// Whether a function belongs to the recorder or its store. An extension belongs to the module that has it.
    private static func isOwn(_ symbol: String, _ name: String) -> Bool {
        if let start = name.range(of: "(extension in ") {
            return own.contains(String(name[start.upperBound...].prefix { $0 != ")" }))
        }
        let start = symbol.drop { $0 == "_" }.dropFirst(2)
        return own.contains { start.hasPrefix("\($0.count)\($0)") }
    }

    /// A text that readers take.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > Limits.stackFunction else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(Limits.stackFunction / 4 - 1))) + "…"
    }
}
