import Foundation
import TapeFormat
import Testing

@testable import StateTapeCommand

@Suite("What a test's source says of the stores")
struct TestedStoresTests {
    /// The page's test reads the same cases.
    private static let cases: [JSON] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Fixtures/tested-stores.json")
        return (try? JSON(parsing: Data(contentsOf: file)))?.array ?? []
    }()

    @Test("Each kind of type is imported and named so that the compiler takes it")
    func kinds() throws {
        #expect(Self.cases.count > 15)
        for one in Self.cases {
            var json = JSON.Object()
            for member in one["header"]?.object ?? JSON.Object() { json[member.key] = member.value }
            (json["tape"], json["session"], json["app"]) = (1, "SESSION-0001", ["id": "shop"])
            json["started"] = "2026-11-20T10:00:00Z"
            let header = try Header(.object(json))
            let stores = TestedStores(header, [("main", header.types["main"])])
            let kind = Comment(rawValue: one["kind"]?.string ?? "")
            #expect(stores.imports == one["imports"]?.array?.compactMap(\.string), kind)
            #expect(stores.verify("main") == one["verify"]?.string, kind)
            let remarks = one["remarks"]?.array?.compactMap(\.string) ?? []
            #expect(stores.remarks.count == remarks.count, kind)
            for (remark, part) in zip(stores.remarks, remarks) {
                #expect(remark.hasPrefix("// ") && remark.contains(part) && !remark.contains("\n"), kind)
            }
        }
    }
}
