/// A large state as its text. Only the levels on the paths of its patches are read, since a parsed value takes about three
/// times the memory of its text.
///
/// A value type: a copy has the same containers until one of both changes.
package struct LargeState: @unchecked Sendable {
    /// The size of a state's text from which on it is kept so, in bytes: where states are compared, and where they are only
    /// shown. A comparison has to build the value each time.
    package static let compared = 32 << 20
    package static let shown = 4 << 20
    /// The size of the array around the state.
    private static let wrapping = 3
    private static func maxSource(_ size: Int) -> Int { 2 * size + compared }
    /// The most memory of levels that were read, in bytes.
    private static let maxRead = 64 << 20

    /// The bytes of the texts from which it is made; some may be unused.
    private var source: Int
    /// The size of the state when it was last measured.
    private var measured: Int
    private var levels = ReadLevels()
    /// An array with the state. Changed only while nobody else has it: hence Sendable.
    private(set) var root: OpenContainer

    package init(_ state: JSON) {
        // An array is never a scalar.
        root = OpenContainer(.array([.null]), levels)!
        root.replace(at: 0, by: .value(state))
        measured = JSON.Footprint.text(of: state)
        source = measured
    }

    /// - Parameter text: One JSON value in the writer's notation.
    /// - Throws: `FormatError` if it isn't valid.
    package init(_ text: [UInt8]) throws(FormatError) {
        self.init(.null)
        (source, measured) = (text.count, text.count)
        guard text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") else {
            root.replace(at: 0, by: .value(try JSON(parsing: text)))
            return
        }
        let range = try Reader.whole(text) { (reader) throws(FormatError) in try reader.skip() }
        root.replace(at: 0, by: .child(.unread(UnreadText(text, in: range))))
    }

    /// The approximate size in memory, in bytes.
    package var memory: Int { source + levels.memory }

    /// The size of the JSON text as `JSON.Footprint` counts it.
    package func size() throws(Patch.Failure) -> Int { try root.size() - Self.wrapping }

    /// Builds the value, which takes several times the memory.
    package func json() throws(Patch.Failure) -> JSON { try root.value(at: 0) }

    /// Applies a patch. A failure leaves the state in between.
    ///
    /// - Parameters:
    ///   - bytes: The size of the patch.
    ///   - maxSize: The maximum size of all copies, in bytes. The size of the result isn't checked.
    package mutating func apply(_ patch: Patch, bytes: Int, maxSize: Int) throws(Patch.Failure) {
        if !isKnownUniquelyReferenced(&root) { root = root.copy() }
        var application = Application(root, maxSize: maxSize)
        for operation in patch.operations { try application.perform(operation) }
        source += bytes
        // Without this, levels that were read once, and texts of which little is left, would pile up.
        if source > Self.maxSource(measured) { measured = try size() }
        guard levels.memory > Self.maxRead || source > Self.maxSource(measured) else { return }
        var text: [UInt8] = []
        write(inPiecesOf: 1 << 20) { text += $0 }
        do throws(FormatError) {
            self = try LargeState(text)
        } catch {
            throw Patch.Failure(path: "", message: error.description)
        }
    }
}
