#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// Elements of the recorder's own, next to an array's.
extension Layout {
    /// Where elements of the recorder's own differ from an array's; nil if at more than so many places.
    ///
    /// Where only bytes differ that don't count, these become the array's: whole pages are the same the next time.
    func differences(
        of own: UnsafeMutableRawPointer, from array: UnsafeRawPointer, count: Int, limit: Int
    ) -> [Int]? {
        var places: [Int] = []
        var start = 0
        while start < count {
            let end = min(start + page, count)
            defer { start = end }
            let bytes = start * stride
            if memcmp(own + bytes, array + bytes, (end - start) * stride) == 0 { continue }
            for index in start..<end {
                let (left, right) = (own + index * stride, array + index * stride)
                if memcmp(left, right, stride) == 0 { continue }
                if matchPadding(of: left, to: right) { continue }
                if places.count == limit { return nil }
                places.append(index)
            }
        }
        return places
    }

    /// Makes the bytes that don't count those of another element if all others are the same.
    ///
    /// - Returns: Whether they are.
    @discardableResult
    func matchPadding(of own: UnsafeMutableRawPointer, to element: UnsafeRawPointer) -> Bool {
        guard isSame(own, element) else { return false }
        memcpy(own, element, stride)
        return true
    }
}
