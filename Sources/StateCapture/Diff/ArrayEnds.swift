/// Two arrays in memory with the same elements at both ends.
package struct ArrayEnds {
    let old: UnsafeRawPointer
    let oldCount: Int
    let new: UnsafeRawPointer
    let newCount: Int
    let first: Int
    let last: Int

    func areOf<Element>(_ old: UnsafeBufferPointer<Element>, _ new: UnsafeBufferPointer<Element>) -> Bool {
        old.count == oldCount && new.count == newCount && old.baseAddress.map { UnsafeRawPointer($0) } == self.old
            && new.baseAddress.map { UnsafeRawPointer($0) } == self.new
    }
}
