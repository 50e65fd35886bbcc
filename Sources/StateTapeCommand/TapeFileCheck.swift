#if Server
    import CZlib
    import Foundation
    import TapeFormat

    /// Finds out before a page does whether a file is worth showing: a tape, plain or gzipped, or an export of the Redux
    /// DevTools.
    struct TapeFileCheck {
        private let path: String
        private var header: Header?
        /// The line that is read, from 1, and the seq that comes next.
        private var number = 0
        private var next = 0

        /// Reads all of a file.
        ///
        /// - Returns: A sentence for the user if the tape ends inside a line, else nil.
        /// - Throws: `Failure` that names file and line.
        static func run(_ path: String) throws -> String? {
            var check = TapeFileCheck(path: path)
            return try check.run()
        }

        private init(path: String) {
            self.path = path
        }

        private mutating func run() throws -> String? {
            // It reads plain files, too.
            guard let file = gzopen(path, "rb") else { throw InputFile.unreadable(path, errno) }
            defer { gzclose(file) }
            var buffer = [UInt8](repeating: 0, count: 256 << 10)
            var rest: [UInt8] = []
            while true {
                let count = Int(gzread(file, &buffer, UInt32(buffer.count)))
                // A file that is cut off ends with an error.
                guard count > 0 else { break }
                var start = 0
                for end in buffer.indices[..<count] where buffer[end] == UInt8(ascii: "\n") {
                    let line = rest + buffer[start..<end]
                    rest = []
                    start = end + 1
                    guard try take(line) else { return try document(file, line, Array(buffer[start..<count])) }
                }
                rest += buffer[start..<count]
                guard rest.count <= Limits.line else {
                    guard header == nil else { throw failure("the line is longer than \(Limits.line) bytes") }
                    return try document(file, [], rest)
                }
            }
            var code: Int32 = 0
            let message = gzerror(file, &code).map { String(cString: $0) } ?? ""
            guard code == Z_OK || code == Z_BUF_ERROR else { throw failure("the packed file is damaged: \(message)") }
            if header == nil { return try document(file, [], rest) }
            guard code == Z_BUF_ERROR || !rest.isEmpty && (try? EventLine(parsing: rest)) == nil else {
                if !rest.isEmpty { _ = try take(rest) }
                return nil
            }
            return "\(path) ends inside line \(number + 1); what comes before it is in the page."
        }

        /// False if the first line is no header.
        private mutating func take(_ line: [UInt8]) throws -> Bool {
            number += 1
            if line.isEmpty { return true }
            do throws(FormatError) {
                guard header != nil else {
                    guard let json = try? JSON(parsing: line), json["tape"] != nil else { return false }
                    header = try Header(json)
                    next = header?.from ?? 0
                    return true
                }
                let event = try EventLine(parsing: line)
                guard event.first == next else {
                    throw FormatError("seq \(next) must come next, and \(event.first) does")
                }
                next = event.seq + 1
            } catch {
                let isHeader = header != nil && (try? JSON(parsing: line))?["tape"] != nil
                throw failure(isHeader ? "another tape begins there; a page shows one" : "\(error)")
            }
            return true
        }

        private func failure(_ reason: String) -> Failure {
            Failure("\(path) can't be shown: line \(number): \(reason)")
        }

        /// Reads on to the end of a file that is no tape.
        private func document(_ file: gzFile, _ line: [UInt8], _ rest: [UInt8]) throws -> String? {
            var bytes = line + rest
            var buffer = [UInt8](repeating: 0, count: 256 << 10)
            while bytes.count <= 64 << 20, case let count = Int(gzread(file, &buffer, UInt32(buffer.count))), count > 0
            {
                bytes += buffer[..<count]
            }
            let json = try? JSON(parsing: bytes)
            guard let json, json["actionsById"] != nil || json["payload"] != nil else {
                throw Failure("\(path) is neither a tape nor an export of the Redux DevTools.")
            }
            return nil
        }
    }
#endif
