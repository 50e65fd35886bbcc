import Foundation

/// A fuzz target. It ends the process if a property doesn't hold for an input.
typealias FuzzTarget = @Sendable ([UInt8]) -> Void

/// The target that STATETAPE_FUZZ_TARGET names.
private let target: FuzzTarget = {
    let targets: [String: FuzzTarget] = [
        "line": fuzzLine, "header": fuzzHeader, "patch": fuzzPatch, "hello": fuzzHello,
        "compressed": fuzzCompressed, "spool": fuzzSpool, "redux": fuzzRedux, "framing": fuzzFraming,
    ]
    let name = ProcessInfo.processInfo.environment["STATETAPE_FUZZ_TARGET"] ?? ""
    guard let target = targets[name] else {
        fatalError("STATETAPE_FUZZ_TARGET must be one of \(targets.keys.sorted().joined(separator: ", "))")
    }
    return target
}()

/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    target([UInt8](UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Ends the process, so that libFuzzer saves the input.
func require(_ holds: @autoclosure () -> Bool, _ property: @autoclosure () -> String) {
    if !holds() { fatalError(property()) }
}
