import CPCRE2
import TapeEngine
import TapeFormat

/// Finds a regular expression in lines, with PCRE2. The syntax is JavaScript's, so that the page finds the same.
///
/// PCRE2 limits the number of steps, but one step may read the whole line. So an expression runs unwatched only if
/// its steps times the line's length are few. Otherwise PCRE2 calls back at each part of the expression, and the
/// match ends in time.
final class RegularExpression: LinePattern {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Bytes that all steps of an unwatched match may read: about 0.1 s.
    private static let maxUnwatched = 1 << 28
    /// With fewer steps than this an unwatched match rarely ends, and starting again costs more than watching.
    private static let minSteps = 16
    private static let maxSteps = 200_000

    private let text: String
    private let matchers: Locked<(plain: Matcher, watched: Matcher?)>

    /// - Throws: A description of the syntax error and its position.
    init(_ text: String) throws(Failure) {
        self.text = text
        matchers = Locked((try Matcher(text), nil))
    }

    /// - Parameter bytes: Valid UTF-8.
    /// - Throws: ``Failure`` if the line takes too long, ``SearchLimit/Cancelled`` if the client is gone.
    func isFound(in bytes: ArraySlice<UInt8>, _ limit: SearchLimit) throws -> Bool {
        try matchers.withLock { matchers in
            let steps = min(Self.maxSteps, Self.maxUnwatched / max(1, bytes.count * bytes.count))
            if steps >= Self.minSteps, let isFound = matchers.plain.find(in: bytes, steps: steps) { return isFound }
            let watched = try matchers.watched ?? Matcher(text, isWatched: true)
            matchers.watched = watched
            return try watched.find(in: bytes, limit)
        }
    }
}

/// A compiled expression with its match data. Use it for one match at a time.
private final class Matcher {
    private static let maxStack = 1 << 20
    /// In KiB. Used where PCRE2 has no JIT and its stack is on the heap.
    private static let maxHeap: UInt32 = 64 << 10

    private let code: OpaquePointer
    private let data: OpaquePointer?
    private let context: OpaquePointer?
    private let stack: OpaquePointer?

    init(_ text: String, isWatched: Bool = false) throws(RegularExpression.Failure) {
        let options =
            PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS
            | PCRE2_MATCH_UNSET_BACKREF
        var error: Int32 = 0
        var place = 0
        let code = Array(text.utf8).withUnsafeBufferPointer {
            pcre2_compile_8(
                $0.baseAddress, $0.count, isWatched ? options | PCRE2_AUTO_CALLOUT : options, &error, &place, nil)
        }
        guard let code else {
            throw RegularExpression.Failure(description: "\(Self.message(error)), at byte \(place)")
        }
        // Without JIT the match is slower; the result is the same.
        pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE))
        self.code = code
        data = pcre2_match_data_create_from_pattern_8(code, nil)
        context = pcre2_match_context_create_8(nil)
        pcre2_set_heap_limit_8(context, Self.maxHeap)
        stack = pcre2_jit_stack_create_8(32 << 10, Self.maxStack, nil)
        pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack))
    }

    deinit {
        pcre2_match_data_free_8(data)
        pcre2_match_context_free_8(context)
        pcre2_jit_stack_free_8(stack)
        pcre2_code_free_8(code)
    }

    /// Returns nil if the match doesn't finish within the steps.
    func find(in bytes: ArraySlice<UInt8>, steps: Int) -> Bool? {
        pcre2_set_match_limit_8(context, UInt32(steps))
        let result = match(bytes)
        return result >= 0 ? true : result == PCRE2_ERROR_NOMATCH ? false : nil
    }

    /// Matches within the time limit.
    func find(in bytes: ArraySlice<UInt8>, _ limit: SearchLimit) throws -> Bool {
        var watch = Watch(limit: limit, length: bytes.count)
        let result = withUnsafeMutablePointer(to: &watch) { watch in
            // Time limits this match, not steps.
            pcre2_set_match_limit_8(context, .max)
            pcre2_set_callout_8(
                context, { _, watch in Watch.step(watch) ? PCRE2_ERROR_CALLOUT : 0 }, UnsafeMutableRawPointer(watch)
            )
            defer { pcre2_set_callout_8(context, nil, nil) }
            return match(bytes)
        }
        if result >= 0 { return true }
        if result == PCRE2_ERROR_NOMATCH { return false }
        if limit.isCancelled() { throw SearchLimit.Cancelled() }
        guard result == PCRE2_ERROR_CALLOUT else {
            throw RegularExpression.Failure(description: "it needs too many resources: \(Self.message(result))")
        }
        throw RegularExpression.Failure(
            description: "it takes longer than \(SearchLimit.line) in a line of \(bytes.count) bytes")
    }

    private func match(_ bytes: ArraySlice<UInt8>) -> Int32 {
        bytes.withUnsafeBufferPointer {
            pcre2_match_8(code, $0.baseAddress, $0.count, 0, PCRE2_NO_UTF_CHECK, data, context)
        }
    }

    private static func message(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
            let count = pcre2_get_error_message_8(code, buffer.baseAddress, buffer.count)
            return count < 0 ? "error \(code)" : String(decoding: buffer.prefix(Int(count)), as: UTF8.self)
        }
    }
}

/// Checks the clock while an expression runs.
private struct Watch {
    /// Bytes that may be read between two checks of the clock.
    private static let interval = 64 << 10

    let limit: SearchLimit
    /// The most bytes that a step reads.
    let length: Int
    private var read = 0

    init(limit: SearchLimit, length: Int) {
        self.limit = limit
        self.length = length
    }

    /// Whether the match must stop.
    static func step(_ watch: UnsafeMutableRawPointer?) -> Bool {
        guard let watch = watch?.assumingMemoryBound(to: Watch.self) else { return false }
        watch.pointee.read += watch.pointee.length + 64
        guard watch.pointee.read >= interval else { return false }
        watch.pointee.read = 0
        return watch.pointee.limit.isReached
    }
}
