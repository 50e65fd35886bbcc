import CQRencode

/// A text as a QR code.
struct QRCode {
    /// Modules per side.
    let width: Int
    /// Row by row; true is a dark module.
    let modules: [Bool]

    /// The quiet zone that readers need, in modules.
    private static let margin = 4

    /// - Throws: ``Problem`` if the text is too long for a QR code.
    init(_ text: String) throws(Problem) {
        let bytes = Array(text.utf8)
        // Version 0 selects the smallest size. Level M can be read with up to 15 % damage.
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else {
            throw Problem(400, "too-long", "A QR code can't hold \(bytes.count) bytes.")
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        self.width = width
        let data = UnsafeBufferPointer(start: code.pointee.data, count: width * width)
        modules = data.map { $0 & 1 == 1 }
    }

    /// An SVG without a fixed size, one unit per module.
    var svg: String {
        let side = width + 2 * Self.margin
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                let start = column
                while column < width, modules[row * width + column] { column += 1 }
                if column > start {
                    path +=
                        "M\(start + Self.margin) \(row + Self.margin)h\(column - start)v1H\(start + Self.margin)z"
                }
                column += 1
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path d="\(path)"/></svg>
            """
    }
}
