import Testing

@testable import StateTapeCommand

@Suite struct ByteCountTests {
    @Test("Sizes are parsed in decimal and binary units, with fractions and spaces")
    func reading() {
        let sizes = [
            "4096": 4_096, "12B": 12, "500MB": 500_000_000, "10GB": 10_000_000_000, "1.5 GiB": 1_610_612_736,
            "2tib": 2_199_023_255_552, "3KB": 3_000, "3KiB": 3_072, "0": 0,
        ]
        for (text, bytes) in sizes { #expect(ByteCount(argument: text)?.bytes == bytes, "\(text)") }
        for text in ["", "GB", "-1GB", "1e3", "ten", "1XB", "1..5MB", "99999999999TB", "inf"] {
            #expect(ByteCount(argument: text) == nil, "\(text)")
        }
    }

    @Test("Sizes are formatted in the largest unit that gives at least 1")
    func writing() {
        #expect(
            [0, 999, 1_000, 12_345, 1_250_000, 3_400_000_000].map(ByteCount.text)
                == ["0 B", "999 B", "1.0 KB", "12.3 KB", "1.3 MB", "3.4 GB"])
    }
}
