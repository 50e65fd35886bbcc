/// A cart: of the visitor, or the one that an account has kept.
struct Cart: Codable, Equatable, Sendable {
    struct Line: Codable, Equatable, Sendable {
        let id: String
        let name: String
        let cents: Int
        var count: Int
    }

    struct Coupon: Codable, Equatable, Sendable {
        let code: String
        let percent: Int
    }

    var lines: [Line] = []
    var coupon: Coupon?
    var isCheckingCoupon = false
    var totalCents = 0

    mutating func add(_ product: Product, count: Int = 1) {
        if let index = lines.firstIndex(where: { $0.id == product.id }) {
            lines[index].count += count
        } else {
            lines.append(Line(id: product.id, name: product.name, cents: product.cents, count: count))
        }
    }

    mutating func change(_ id: String, by count: Int) {
        guard let index = lines.firstIndex(where: { $0.id == id }) else { return }
        lines[index].count += count
        if lines[index].count < 1 { lines.remove(at: index) }
    }

    mutating func updateTotal() {
        let sum = lines.reduce(0) { $0 + $1.cents * $1.count }
        totalCents = sum * (100 - (coupon?.percent ?? 0)) / 100
    }
}
