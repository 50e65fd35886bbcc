#if Server
    import TapeFormat

    /// The lines of a batch, unparsed, of which there is one for each event.
    struct BatchLines {
        private let first: Int
        private let bytes: [UInt8]
        private let places: [Range<Int>]

        /// Nil if a line stands for several events: the place of a line doesn't tell its seq then.
        init?(_ batch: StoredBatch) {
            let places = batch.bytes.linePlaces
            guard places.count == batch.next - batch.first else { return nil }
            (first, bytes, self.places) = (batch.first, batch.bytes, places)
        }

        func line(_ seq: Int) -> ArraySlice<UInt8>? {
            places.indices ~= seq - first ? bytes[places[seq - first]] : nil
        }
    }
#endif
