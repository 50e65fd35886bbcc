/// The line of the app's source that called `dispatch`.
package struct CallSite: Sendable {
    package let fileID: StaticString
    package let line: UInt
    /// The functions that led there.
    package let stack: CallStack

    /// Made in the call of `dispatch`.
    package init(fileID: StaticString, line: UInt) {
        self.fileID = fileID
        self.line = line
        stack = .here()
    }
}
