extension Trace {
  /// Traffic that is made here, the same in every run, for figures that anybody can remake.
  enum Made: String, CaseIterable {
    /// Popularity by the inverse of the rank, and no more to it.
    case zipf = "@zipf"
    /// The same, with scans: of every hundred requests, twenty are for keys that come once.
    case scans = "@scans"
    /// The same, with favourites that change: every 20,000 requests the ranks move on by 500 keys.
    case drift = "@drift"
  }

  /// 200,000 requests of one of these kinds.
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

  /// Numbers the keys in the order in which they come first.
  private init(name: String, requests: [Int]) {
    var numbers: [Int: Int] = [:]
    for key in requests where numbers[key] == nil { numbers[key] = numbers.count }
    let keys = numbers.sorted { $0.value < $1.value }.map { "key \($0.key)" }
    self.init(name: name, keys: keys, requests: requests.compactMap { numbers[$0] })
  }
}
