#if Server
    /// Reads the heads of events out of the archive, a chunk at a time.
    struct HeadReader: Sendable {
        let tape: TapeReader

        /// The heads from the event that covers `seq` on, as many as lie together; nil past the end of the tape.
        func heads(of session: Int64, from seq: Int) throws -> [Head]? {
            try tape.lines(of: session, from: seq)?.map(Head.init)
        }

        /// Calls `body` with each head of a range, until it returns false.
        func each(of session: Int64, in range: Range<Int>, _ body: (Head) throws -> Bool) throws {
            var seq = range.lowerBound
            while seq < range.upperBound, let heads = try heads(of: session, from: seq), let last = heads.last {
                for head in heads {
                    guard head.first < range.upperBound, try body(head) else { return }
                }
                seq = last.seq + 1
            }
        }
    }
#endif
