#if Server
    import CPCRE2
    import Synchronization

    /// A regular expression to find in lines, by PCRE2: as JavaScript writes them, so that a page finds the same.
    final class LinePattern: Sendable {
        struct Failure: Error, CustomStringConvertible {
            let description: String
        }

        /// What a match works with; one at a time.
        private struct Matcher {
            let code: OpaquePointer
            let data: OpaquePointer?
            let context: OpaquePointer?
            let stack: OpaquePointer?
        }

        /// Steps back that a line may cost: far more than any sensible expression takes.
        private static let maxSteps: UInt32 = 200_000
        private static let maxStack = 1 << 20

        private let matcher: Mutex<Matcher>

        /// - Throws: What is wrong with the expression, and where.
        init(_ text: String) throws(Failure) {
            let options =
                PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_ALT_BSUX | PCRE2_ALLOW_EMPTY_CLASS
                | PCRE2_MATCH_UNSET_BACKREF
            var error: Int32 = 0
            var place = 0
            let code = Array(text.utf8).withUnsafeBufferPointer {
                pcre2_compile_8($0.baseAddress, $0.count, options, &error, &place, nil)
            }
            guard let code else { throw Failure(description: "\(Self.message(error)), at byte \(place)") }
            // Without it matching is slower, and finds the same.
            pcre2_jit_compile_8(code, UInt32(PCRE2_JIT_COMPLETE))
            let context = pcre2_match_context_create_8(nil)
            pcre2_set_match_limit_8(context, Self.maxSteps)
            let stack = pcre2_jit_stack_create_8(32 << 10, Self.maxStack, nil)
            pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack))
            matcher = Mutex(
                Matcher(
                    code: code, data: pcre2_match_data_create_from_pattern_8(code, nil), context: context, stack: stack)
            )
        }

        deinit {
            matcher.withLock { matcher in
                pcre2_match_data_free_8(matcher.data)
                pcre2_match_context_free_8(matcher.context)
                pcre2_jit_stack_free_8(matcher.stack)
                pcre2_code_free_8(matcher.code)
            }
        }

        /// - Parameter bytes: Valid UTF-8.
        /// - Throws: When the line takes too long.
        func isFound(in bytes: ArraySlice<UInt8>) throws(Failure) -> Bool {
            let result = matcher.withLock { matcher in
                bytes.withUnsafeBufferPointer {
                    pcre2_match_8(
                        matcher.code, $0.baseAddress, $0.count, 0, PCRE2_NO_UTF_CHECK,
                        matcher.data, matcher.context)
                }
            }
            if result >= 0 { return true }
            guard result == PCRE2_ERROR_NOMATCH else {
                throw Failure(description: "it takes too long: \(Self.message(result))")
            }
            return false
        }

        private static func message(_ code: Int32) -> String {
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
                let count = pcre2_get_error_message_8(code, buffer.baseAddress, buffer.count)
                return count < 0 ? "error \(code)" : String(decoding: buffer.prefix(Int(count)), as: UTF8.self)
            }
        }
    }
#endif
