#if Server
    import CQRencode

    /// A text as a QR code.
    struct QRCode {
        /// Modules of a side.
        let width: Int
        /// Row by row; true is dark.
        let modules: [Bool]

        /// White around it, in modules: what readers need.
        private static let margin = 4

        /// - Throws: ``Problem`` if the text is longer than a code holds.
        init(_ text: String) throws(Problem) {
            let bytes = Array(text.utf8)
            // Version 0 is the smallest that holds it; M still reads with 15 % of it hidden.
            guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else {
                throw Problem(400, "too-long", "A QR code can't hold \(bytes.count) bytes.")
            }
            defer { QRcode_free(code) }
            let width = Int(code.pointee.width)
            self.width = width
            let data = UnsafeBufferPointer(start: code.pointee.data, count: width * width)
            modules = data.map { $0 & 1 == 1 }
        }

        /// An image without size of its own, one unit a module.
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
#endif
