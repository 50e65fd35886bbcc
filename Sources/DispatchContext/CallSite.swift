/// The line of the app's source that called `dispatch`.
package struct CallSite: Sendable {
    /// Empty if the line is unknown, and only the call stack is known.
    package let fileID: StaticString
    /// The functions that led there. Behind the file's name it takes no more memory: a dispatch copies call sites often.
    package let stack: CallStack
    package let line: UInt

    /// Made in the call of `dispatch`.
    package init(fileID: StaticString, line: UInt) {
        self.init(fileID: fileID, line: line, .here())
    }

    private init(fileID: StaticString, line: UInt, _ stack: CallStack) {
        self.fileID = fileID
        self.line = line
        self.stack = stack
    }

    /// The place of a dispatch that names no line; nil if its call stack is unknown, too.
    static func withoutLine(_ stack: CallStack) -> CallSite? {
        stack == .none ? nil : CallSite(fileID: "", line: 0, stack)
    }

    /// As on the tape, as `Module/File.swift:41`; nil if it is unknown.
    package var text: String? { fileID.utf8CodeUnitCount == 0 ? nil : "\(fileID):\(line)" }
}
