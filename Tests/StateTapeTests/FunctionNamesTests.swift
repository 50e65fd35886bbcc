import DispatchContext
import Foundation
import TapeFormat
import Testing

@testable import StateTape

@Suite("The names of functions in call stacks")
struct FunctionNamesTests {
    @Test(
        "Symbols of Swift are readable, without what the compiler made of a function",
        arguments: [
            ("$s4Shop10CartScreenV3payyyF", "Shop.CartScreen.pay() -> ()"),
            ("_$s4Shop10CartScreenV3payyyF", "Shop.CartScreen.pay() -> ()"),
            ("$s4Shop10CartScreenV3payyyYaFTY0_", "Shop.CartScreen.pay() async -> ()"),
            ("$s4Shop10CartScreenV3payyyYaFTQ1_", "Shop.CartScreen.pay() async -> ()"),
            ("$s4Shop3payyyxlFSi_Tg5", "Shop.pay<A>(A) -> ()"),
            ("$s4Shop3payyyFTm", "Shop.pay() -> ()"),
            ("$s4Shop10CartScreenV3pay33_61B75580432D4E674D1023C611CC7700LLyyF", "Shop.CartScreen.pay() -> ()"),
            ("$s4Shop6Person33_61B75580432D4E674D1023C611CC7700LLV3payyyF", "Shop.Person.pay() -> ()"),
            ("start_thread", nil), ("$s", nil), ("", nil), ("$s4Shop", "Shop"),
            ("$s9999999999999999999999x", nil), ("-[UIApplication _run]", nil),
        ] as [(String, String?)])
    func readable(_ symbol: String, _ text: String?) {
        #expect(FunctionNames.readable(symbol) == text)
    }

    @Test("Each call stack is kept once, up to a limit")
    func table() {
        var table = CallStackTable(limit: 2)
        func insert(_ addresses: [UInt]) -> CallStack { addresses.withUnsafeBufferPointer { table.insert($0) } }
        let (first, second) = (insert([1, 2]), insert([2, 1]))
        #expect(first != second && insert([1, 2]) == first)
        #expect(table[first] == [1, 2] && table[second] == [2, 1])
        #expect(insert([3]) == .notKept && insert([2, 1]) == second)
        #expect(table[.notKept] == [] && table[.none] == [])
    }

    @Test("The first call stack that isn't kept is reported, and has no member")
    func notKept() {
        var writer = CallStackWriter()
        #expect(writer.member(of: .notKept, at: 1) == nil && writer.member(of: .none, at: 1) == nil)
        #expect(writer.isFirstNotKept(.notKept) && !writer.isFirstNotKept(.notKept))
    }

    @Test("An address outside of all code is a number")
    func unknown() {
        var names = FunctionNames()
        #expect(names.functions(at: [17]) == ["0x10"])
    }

    @Test(
        "Code or the environment switches call stacks on",
        arguments: [
            (false, nil, true, false, nil), (true, nil, true, true, nil), (false, "1", true, true, nil),
            (false, "0", true, false, nil), (true, "0", true, true, nil), (false, "", true, false, nil),
            (false, "yes", true, false, "STATETAPE_CALL_STACKS is ignored: “yes” is neither 1 nor 0."),
            (true, nil, false, false, "StateTape records no call stacks: it can't read them on this platform."),
            (false, "1", false, false, "StateTape records no call stacks: it can't read them on this platform."),
            (false, nil, false, false, nil),
        ] as [(Bool, String?, Bool, Bool, String?)])
    func choice(_ code: Bool, _ text: String?, _ isKnown: Bool, _ isOn: Bool, _ message: String?) {
        var environment: [String: String] = [:]
        environment["STATETAPE_CALL_STACKS"] = text
        let choice = CallStackChoice(code, environment, isKnown: isKnown)
        #expect(choice.isOn == isOn && choice.message == message)
    }

    #if !canImport(Darwin)
        @Test(
            "A file without a symbol table, or with a damaged one, has no names",
            arguments: [
                Data(), Data("not a program".utf8), Data([0x7f, 0x45, 0x4c, 0x46, 2, 1]),
                // The tables lie beyond the file's end, or their places are no numbers of this machine.
                Data([0x7f, 0x45, 0x4c, 0x46, 2, 1] + [UInt8](repeating: 0x7f, count: 58)),
                Data([0x7f, 0x45, 0x4c, 0x46, 2, 1] + [UInt8](repeating: 0xff, count: 200)),
            ])
        func damaged(_ bytes: Data) throws {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: file) }
            try bytes.write(to: file)
            var tables = SymbolTables()
            #expect(tables.name(at: 4_096, in: file.path, base: 0) == nil)
        }
    #endif
}
