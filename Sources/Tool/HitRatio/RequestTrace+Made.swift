extension RequestTrace {
  /// Repeatable synthetic traffic.
  enum Made: String, CaseIterable {
    /// Zipf's law.
    case zipf = "@zipf"
    /// Zipf's law with scans: 20 % of the requests are for unique keys.
    case scans = "@scans"
    /// Zipf's law with drift: every 20,000 requests, the ranks shift by 500 keys.
    case drift = "@drift"
  }

  /// Returns 200,000 requests of a kind.
  init(_ kind: Made) {
    var ranks = Zipf(20_000, theta: 0.9, seed: 1)
    let requests = (0..<200_000).map { number in
      switch kind {
      case .zipf: ranks.next()
      case .scans: number % 100 < 80 ? ranks.next() : 20_000 + number
      case .drift: (ranks.next() + number / 20_000 * 500) % 20_000
      }
    }
    self.init(name: kind.rawValue, requests: requests)
  }

  /// Numbers the keys by their first appearance.
  private init(name: String, requests: [Int]) {
    var numbers: [Int: Int] = [:]
    for key in requests where numbers[key] == nil { numbers[key] = numbers.count }
    let keys = numbers.sorted { $0.value < $1.value }.map { "key \($0.key)" }
    self.init(name: name, keys: keys, requests: requests.compactMap { numbers[$0] })
  }
}
