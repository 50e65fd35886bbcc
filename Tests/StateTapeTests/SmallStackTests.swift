#if os(Linux)
    import Foundation
    import TapeFormat
    import Testing

    @testable import StateTape

    @Suite("Small stacks")
    struct SmallStackTests {
        /// The build folder, which contains the test bundle.
        private static var products: URL {
            let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
            return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
        }

        // States that are encoded where they are dispatched have only the room that is there.
        @Test(
            "A debug build records deep and large values where every thread has 512 KB, or notes what it can't",
            .comparesLayouts)
        func shapes() throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            let check = Self.products.appendingPathComponent("StateShapesCheck").path
            // The threads of queues have a stack of this size, too.
            process.arguments = ["-c", "ulimit -s 512 && exec \"$0\" stack 2>&1", check]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            // After a crash, the last line names the case.
            let last = output.split(separator: "\n").suffix(12).joined(separator: "\n")
            #expect(process.terminationReason == .exit && process.terminationStatus == 0, "\(last)")
        }

        @Test("The bounds of every thread's stack are known")
        func bounds() async {
            for size in [512 << 10, 2 << 20] {
                let (found, free) = await withCheckedContinuation { continuation in
                    let thread = Thread { continuation.resume(returning: (ThreadStack.size, ThreadStack.free)) }
                    thread.stackSize = size
                    thread.start()
                }
                // A new thread may get the larger stack of one that has ended.
                #expect(UInt(size) - 16_384...UInt(4 * size) ~= found)
                #expect(free < found && free > found / 2)
            }
        }

        @Test("A thread with a small stack leaves the recorder's work to a larger one, one work after the other")
        func worker() async {
            let order = Locked<[Int]>([])
            let stack = RecorderStack()
            await withCheckedContinuation { continuation in
                let thread = Thread {
                    for number in 0..<3 {
                        stack.run {
                            #expect(stack.isCurrent && ThreadStack.size >= UInt(RecorderStack.size) / 2)
                            stack.run { order.withLock { $0.append(number) } }
                        }
                        order.withLock { $0.append(-number) }
                    }
                    #expect(!stack.isCurrent)
                    continuation.resume()
                }
                thread.stackSize = 512 << 10
                thread.start()
            }
            #expect(order.withLock { $0 } == [0, 0, 1, -1, 2, -2])
        }
    }
#endif
