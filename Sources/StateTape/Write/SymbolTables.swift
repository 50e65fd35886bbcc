#if !canImport(Darwin)
    import CCallStack
    import Foundation

    /// The functions that loaded files don't export: on Linux the linker's own table has none of a program's.
    struct SymbolTables {
        private var tables: [UInt: SymbolTable?] = [:]

        /// The symbol at an address, as the linker names it.
        ///
        /// - Parameters:
        ///   - path: The file's; of the program, the name by which it was started.
        ///   - base: Where the file is loaded.
        mutating func name(at address: UInt, in path: String, base: UInt) -> String? {
            let table: SymbolTable?
            if let known = tables[base] {
                table = known
            } else {
                table = SymbolTable(path == CommandLine.arguments.first ? "/proc/self/exe" : path)
                tables[base] = .some(table)
            }
            return table?.name(at: address, base: base)
        }
    }

    /// The symbol table of an ELF file of 64 bits, which `strip` removes.
    private struct SymbolTable {
        private static let symbolSize = 24

        private let bytes: Data
        private let symbols: Range<Int>
        private let names: Range<Int>
        /// The file's own address of its first byte.
        private let first: UInt

        init?(_ path: String) {
            guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) else {
                return nil
            }
            let file = ELFFile(bytes)
            guard let file, let table = file.sections.first(where: { $0.type == 2 }),
                file.sections.indices.contains(table.link), table.range.lowerBound % 8 == 0
            else { return nil }
            self.bytes = bytes
            (symbols, names, first) = (table.range, file.sections[table.link].range, file.first)
        }

        func name(at address: UInt, base: UInt) -> String? {
            bytes.withUnsafeBytes { bytes -> String? in
                guard let start = bytes.baseAddress else { return nil }
                let place = call_stack_search(
                    start + symbols.lowerBound, symbols.count / Self.symbolSize, UInt64(address - base + first))
                guard place > 0, place < names.count else { return nil }
                let text = bytes[names].dropFirst(Int(place)).prefix { $0 != 0 }
                return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
            }
        }
    }

    /// The parts of an ELF file of 64 bits that lead to its symbols. A file that ends before its parts has none.
    private struct ELFFile {
        struct Section {
            let type: Int
            let range: Range<Int>
            /// The section with its names.
            let link: Int
        }

        private(set) var sections: [Section] = []
        /// Where the file wants its first byte.
        private(set) var first: UInt = .max

        init?(_ file: Data) {
            // 64 bits, little-endian.
            guard file.prefix(6).elementsEqual([0x7f, 0x45, 0x4c, 0x46, 2, 1]) else { return nil }
            func int(_ place: Int, _ size: Int) -> Int? {
                guard place >= 0, size <= file.count, place <= file.count - size else { return nil }
                let value = (0..<size).reduce(0 as UInt) { $0 | UInt(file[place + $1]) << (8 * UInt($1)) }
                return Int(exactly: value)
            }
            guard let segment = int(32, 8), let table = int(40, 8), let segments = int(56, 2), let count = int(60, 2),
                segment < file.count, table < file.count
            else { return nil }
            for index in 0..<segments {
                let place = segment + 56 * index
                guard let type = int(place, 4), let address = int(place + 16, 8) else { return nil }
                let loaded = 1
                if type == loaded { first = min(first, UInt(address) & ~0xfff) }
            }
            for index in 0..<count {
                let place = table + 64 * index
                guard let type = int(place + 4, 4), let start = int(place + 24, 8), let size = int(place + 32, 8),
                    let link = int(place + 40, 4)
                else { return nil }
                let isThere = start <= file.count && size <= file.count - start
                sections.append(Section(type: type, range: isThere ? start..<start + size : 0..<0, link: link))
            }
            if first == .max { return nil }
        }
    }
#endif
