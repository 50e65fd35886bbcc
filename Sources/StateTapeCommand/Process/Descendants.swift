#if os(Linux)
    import Glibc

    /// The processes that a process has started, and those that these have started.
    ///
    /// Groups and sessions of their own don't hide them, as long as the process adopts the orphans among them.
    struct Descendants {
        let all: [pid_t]

        init(of process: pid_t) {
            var children: [pid_t: [pid_t]] = [:]
            if let folder = opendir("/proc") {
                defer { closedir(folder) }
                while let entry = readdir(folder) {
                    let name = withUnsafePointer(to: &entry.pointee.d_name) {
                        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                    }
                    guard let id = pid_t(name), let parent = Self.parent(of: id) else { continue }
                    children[parent, default: []].append(id)
                }
            }
            var found: [pid_t] = []
            var next = [process]
            while let parent = next.popLast() {
                let more = children[parent] ?? []
                found += more
                next += more
            }
            all = found
        }

        func signal(_ number: Int32) {
            for process in all { kill(process, number) }
        }

        /// The parent of a process that runs; nil if it has ended.
        private static func parent(of process: pid_t) -> pid_t? {
            let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { return nil }
            defer { close(file) }
            var text = [UInt8](repeating: 0, count: 512)
            let count = read(file, &text, text.count)
            // The command's name, in parentheses, may itself hold spaces and parentheses.
            guard count > 0, let end = text[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
            let fields = text[(end + 1)..<count].split(separator: UInt8(ascii: " "))
            guard fields.count > 1, fields[0] != [UInt8(ascii: "Z")] else { return nil }
            return pid_t(String(decoding: fields[1], as: UTF8.self))
        }
    }
#endif
