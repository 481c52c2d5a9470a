/// A count-min sketch, which estimates how often keys were requested recently. It has four rows of
/// counters, each with a maximum value of 15. Periodically, all counters are halved.
struct FrequencySketch {
  private var rows: [[UInt8]]
  private let mask: Int
  private let sample: Int
  private var added = 0

  /// - Parameter period: The number of counted requests after which the counters are halved, as a
  ///   multiple of the capacity.
  init(capacity: Int, halvedAfter period: Int) {
    var words = 256
    while words < capacity { words *= 2 }
    mask = 4 * words - 1
    rows = Array(repeating: Array(repeating: 0, count: 4 * words), count: 4)
    sample = period * max(256, capacity)
  }

  func count(of key: Int) -> Int {
    Int((0..<4).map { rows[$0][column(of: key, in: $0)] }.min() ?? 0)
  }

  mutating func add(_ key: Int) {
    var hasGrown = false
    for row in 0..<4 {
      let column = column(of: key, in: row)
      guard rows[row][column] < 15 else { continue }
      rows[row][column] += 1
      hasGrown = true
    }
    if hasGrown { added += 1 }
    guard added >= sample else { return }
    added /= 2
    rows = rows.map { $0.map { $0 / 2 } }
  }

  private func column(of key: Int, in row: Int) -> Int {
    let hash = Self.mix(UInt64(key) + 1) &+ 0x9e37_79b9_7f4a_7c15 &* UInt64(row + 1)
    return Int(truncatingIfNeeded: Self.mix(hash)) & mask
  }

  private static func mix(_ number: UInt64) -> UInt64 {
    var mixed = (number ^ number &>> 33) &* 0xff51_afd7_ed55_8ccd
    mixed = (mixed ^ mixed &>> 33) &* 0xc4ce_b9fe_1a85_ec53
    return mixed ^ mixed &>> 33
  }
}
