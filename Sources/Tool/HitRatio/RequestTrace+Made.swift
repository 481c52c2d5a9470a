extension RequestTrace {
  /// Repeatable synthetic traffic.
  enum Made: String, CaseIterable {
    /// Requests that follow Zipf's law.
    case zipf = "@zipf"
    /// Requests that follow Zipf's law, with scans: 20 % of the requests are for unique keys.
    case scans = "@scans"
    /// Requests that follow Zipf's law, with drift: every 20,000 requests, the ranks shift by 500
    /// keys.
    case drift = "@drift"
    /// A cycle of 700 keys.
    case loop = "@loop"
    /// A scan of 1,000 keys, up and down.
    case zigzag = "@zigzag"
    /// A working set of 1,000 keys that follows Zipf's law. Every 1,000 requests, the working set
    /// moves by 50 keys.
    case shift = "@shift"

    /// The keys of 200,000 requests, as numbers. Only kinds with popular keys have keys in common.
    fileprivate var keys: [Int] {
      var ranks = Zipf(self == .shift ? 1000 : 20_000, theta: 0.9, seed: 1)
      return (0..<200_000).map { number in
        switch self {
        case .zipf: ranks.next()
        case .scans: number % 100 < 80 ? ranks.next() : 20_000 + number
        case .drift: (ranks.next() + number / 20_000 * 500) % 20_000
        case .loop: 1_000_000 + number % 700
        case .zigzag: 2_000_000 + abs(number % 1998 - 999)
        case .shift: 3_000_000 + number / 1000 * 50 + ranks.next()
        }
      }
    }
  }

  /// Returns 200,000 requests of a kind.
  init(_ kind: Made) { self.init([kind]) }

  /// Returns 200,000 requests of each kind, one kind after another.
  init(_ kinds: [Made]) {
    self.init(
      name: kinds.map(\.rawValue).joined(separator: "+"), requests: kinds.flatMap(\.keys))
  }

  /// Parses a kind such as `@loop`, or a sequence of kinds such as `@zipf+@loop`. Returns `nil` for
  /// any other text.
  init?(madeAs text: String) {
    let names = text.split(separator: "+", omittingEmptySubsequences: false)
    let kinds = names.compactMap { Made(rawValue: String($0)) }
    guard kinds.count == names.count else { return nil }
    self.init(kinds)
  }

  /// Creates a trace, and numbers the keys in the order of their first appearance.
  private init(name: String, requests: [Int]) {
    var numbers: [Int: Int] = [:]
    for key in requests where numbers[key] == nil { numbers[key] = numbers.count }
    let keys = numbers.sorted { $0.value < $1.value }.map { "key \($0.key)" }
    self.init(name: name, keys: keys, requests: requests.compactMap { numbers[$0] })
  }
}
