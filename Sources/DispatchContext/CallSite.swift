/// The line of the app's source that called `dispatch`.
package struct CallSite: Sendable {
    package let fileID: StaticString
    package let line: UInt

    package init(fileID: StaticString, line: UInt) {
        self.fileID = fileID
        self.line = line
    }
}
