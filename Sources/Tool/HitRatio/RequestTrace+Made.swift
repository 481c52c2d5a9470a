extension RequestTrace {
  /// Repeatable synthetic traffic.
  enum Made: String, CaseIterable {
    /// Zipf's law.
    case zipf = "@zipf"
    /// Zipf's law with scans: 20 % of the requests are for keys that no other request names.
    case scans = "@scans"
    /// Zipf's law with drift: every 20,000 requests, the popularity ranks shift by 500 keys.
    case drift = "@drift"
    /// A cycle of 700 keys.
    case loop = "@loop"
    /// Scans over 1,000 keys, alternately up and down.
    case zigzag = "@zigzag"
    /// A working set of 1,000 keys with requests that follow Zipf's law. Every 1,000 requests, the
    /// working set moves by 50 keys.
    case shift = "@shift"

    /// The keys of 200,000 requests, as numbers. Only `zipf`, `scans`, and `drift` have keys in
    /// common. But `loop`, `zigzag`, and `shift` have no key in common with another kind.
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

  /// Creates a trace with 200,000 requests of one kind of traffic.
  init(_ kind: Made) { self.init([kind]) }

  /// Creates a trace with 200,000 requests of each kind of traffic, one kind after another.
  init(_ kinds: [Made], _ sizes: MadeSizes? = nil) {
    let suffix = sizes.map { ":\($0.rawValue)" } ?? ""
    let name = kinds.map(\.rawValue).joined(separator: "+") + suffix
    self.init(name: name, requests: kinds.flatMap(\.keys), sizes)
  }

  /// Parses the name of one kind of traffic, such as `@loop`, or of several kinds in order, such as
  /// `@zipf+@loop`. After the name, there can be a colon and a distribution of sizes, as in
  /// `@zipf:pareto`. Returns `nil` for any other text.
  init?(madeAs text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let names = parts[0].split(separator: "+", omittingEmptySubsequences: false)
    let kinds = names.compactMap { Made(rawValue: String($0)) }
    let sizes = parts.dropFirst().first.map { MadeSizes(rawValue: String($0)) }
    guard kinds.count == names.count, sizes == nil || sizes != .some(nil) else { return nil }
    self.init(kinds, sizes ?? nil)
  }

  /// Numbers the keys in the order of their first appearance.
  private init(name: String, requests: [Int], _ sizes: MadeSizes?) {
    var numbers: [Int: Int] = [:]
    for key in requests where numbers[key] == nil { numbers[key] = numbers.count }
    let keys = numbers.sorted { $0.value < $1.value }.map { "key \($0.key)" }
    let requests = requests.compactMap { numbers[$0] }
    var counts = Array(repeating: 0, count: keys.count)
    for key in requests { counts[key] += 1 }
    self.init(name: name, keys: keys, requests: requests, sizes: sizes?.sizes(of: counts))
  }
}
