#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

// Compares the recorder's own elements with an array's.
extension Layout {
    /// Where the recorder's own elements differ from an array's; nil if at more than `limit` places.
    ///
    /// Elements that differ only in bytes that don't count get the array's bytes: the next time, whole pages are the
    /// same.
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

    /// Copies an element's bytes to the recorder's own element, if they differ only in bytes that don't count.
    ///
    /// - Returns: Whether the two elements are the same.
    @discardableResult
    func matchPadding(of own: UnsafeMutableRawPointer, to element: UnsafeRawPointer) -> Bool {
        guard isSame(own, element) else { return false }
        memcpy(own, element, stride)
        return true
    }
}
