#if canImport(XCTest)
    import Dispatch
    import Foundation
    import StateTape
    public import XCTest

    /// A test case of XCTest whose tests are recorded, as with the trait `.taped` of Swift Testing.
    ///
    /// ``Tape/current`` is the running test's recorder.
    open class TapedTestCase: XCTestCase {
        private var tape: TestTape?

        override open func invokeTest() {
            // The name is `-[Suite test]` or `Suite.test`.
            let parts = name.trimmingCharacters(in: CharacterSet(charactersIn: "-[]"))
                .split { $0 == " " || $0 == "." }.map(String.init)
            let module = String(reflecting: type(of: self)).prefix { $0 != "." }
            let tape = TestTape(
                TestLabels(test: parts.last ?? name, suite: parts.dropLast().last, module: String(module)))
            self.tape = tape
            let kept = tape.record({ super.invokeTest() }).map(KeptTape.init)
            let reported = DispatchSemaphore(value: 0)
            Task.detached {
                for tape in kept { await tape.report() }
                reported.signal()
            }
            reported.wait()
            self.tape = nil
        }

        #if canImport(Darwin)
            override open func record(_ issue: XCTIssue) {
                let location = issue.sourceCodeContext.location
                tape?.fail(
                    issue.compactDescription, at: location.map { "\($0.fileURL.fileID):\($0.lineNumber)" })
                super.record(issue)
            }
        #else
            override open func recordFailure(
                withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
            ) {
                tape?.fail(description, at: "\(URL(fileURLWithPath: filePath).fileID):\(lineNumber)")
                super.recordFailure(
                    withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
            }
        #endif
    }

    extension URL {
        /// The file with its folder, which most often has the module's name, as in `#fileID`.
        fileprivate var fileID: String { pathComponents.suffix(2).joined(separator: "/") }
    }
#endif
