import TapeFormat
import Testing

@Suite("File names from other people's texts") struct FileNameTextTests {
    @Test("Every script stays readable; what means something to a system doesn't stay")
    func names() {
        for (text, name) in [
            ("CheckoutTests-pays once()", "CheckoutTests-pays-once"), ("Оплата проходит", "Оплата-проходит"),
            ("支付 成功", "支付-成功"), ("تم الدفع", "تم-الدفع"), ("हिन्दी", "हिन्दी"), ("pays 👍🏽 👩‍👩‍👧 🇩🇪", "pays-👍🏽-👩‍👩‍👧-🇩🇪"),
            ("e\u{301}", "\u{e9}"), ("../../etc/passwd", "etc-passwd"), (".hidden", "hidden"), ("a\u{202e}b", "a-b"),
            ("a\u{200d}b", "b"), ("a\u{0}b\nc\u{1b}[31m", "a-b-c-31m"), ("-rf *", "rf"), ("%s%n?#", "s-n"), ("...", ""),
            ("con", "con-"), ("LPT1", "LPT1-"), ("console", "console"),
        ] {
            #expect(
                text.fileName(separator: "-", merges: true).unicodeScalars.elementsEqual(name.unicodeScalars), "\(text)"
            )
        }
        #expect("Cart/../x-pays".fileName(separator: "_", merges: false) == "Cart____x-pays")
    }

    @Test(
        "A long name ends between two characters",
        arguments: ["a", "ж", "支", "👩‍👩‍👧", "z" + String(repeating: "\u{301}", count: 500)])
    func lengths(_ character: String) {
        let name = String(repeating: character, count: 300).fileName(separator: "-", merges: true)
        #expect(name.utf8.count <= 180 && name.count <= 100)
        #expect(name.allSatisfy { String($0) == character })
    }
}
