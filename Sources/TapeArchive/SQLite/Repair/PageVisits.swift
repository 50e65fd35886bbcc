/// How often each page of a file was read as a part of a row. In a whole file it is once.
///
/// Pages that are in use no more lead to pages that have other rows now, so a few times more are allowed. That a page
/// has an end makes all walks together as long as the file, wherever its pages lead.
struct PageVisits {
    private static let most: UInt8 = 8
    /// Pages in one part.
    private static let part = 256
    private var parts: [Int: [UInt8]] = [:]

    /// - Returns: Whether the page may be read once more.
    mutating func add(_ page: Int) -> Bool {
        let (part, place) = page.quotientAndRemainder(dividingBy: Self.part)
        if parts[part] == nil { parts[part] = [UInt8](repeating: 0, count: Self.part) }
        guard let visits = parts[part]?[place], visits < Self.most else { return false }
        parts[part]?[place] += 1
        return true
    }
}
