import Foundation

/// The maximum that a memory level may hold: a number of values, a total size, or both.
///
///     let articles: Cache<URL, Article> = .memory(capacity: 500)
///     let bodies: Cache<URL, Data> = .memory(capacity: .bytes(32 << 20))
///     let both: Cache<URL, Data> = .memory(capacity: .bytes(32 << 20).and(count: 500))
///
/// A number without a unit counts values. Zero or less disables the level.
public struct MemoryCapacity<Value: Sendable>: Sendable, ExpressibleByIntegerLiteral {
  let limits: MemoryLimits
  /// The cost of a value, or `nil` if each value costs one.
  @usableFromInline let measure: (@Sendable (Value) -> Int)?
  /// The capacity as a plan shows it.
  let arguments: CachePlan.Arguments

  /// The maximum total cost.
  @usableFromInline var limit: Int { limits.cost }
  /// The minimum cost of a value, which is more than one if the number of values is also limited.
  @usableFromInline var share: Int { limits.share }

  init(
    _ limits: MemoryLimits, measure: (@Sendable (Value) -> Int)?, arguments: CachePlan.Arguments
  ) {
    (self.limits, self.measure, self.arguments) = (limits, measure, arguments)
  }

  /// The default: 1,000 values. If values are `Data`, `[UInt8]`, or `String`, stamped or not, they
  /// may also take at most 64 MiB in total.
  ///
  /// The plan of a level shows only the number, as in `memory(1000)`.
  public static var standard: MemoryCapacity {
    let count = MemoryCapacity.count(1000)
    guard let size = CacheEvent.size(of: Value.self) else { return count }
    let both = MemoryCapacity.bytes(64 << 20, size).and(count: 1000)
    return MemoryCapacity(both.limits, measure: both.measure, arguments: count.arguments)
  }

  /// Creates a capacity of a number of values.
  public init(integerLiteral count: Int) { self = .count(count) }

  /// Returns a capacity that limits the number of values.
  public static func count(_ count: Int) -> MemoryCapacity {
    MemoryCapacity(.init(count: count), measure: nil, arguments: [nil: .count(count)])
  }

  /// Returns a capacity in your own unit, such as words.
  ///
  ///     let articles: Cache<URL, Article> = .memory(capacity: .cost(1_000_000) { $0.wordCount })
  ///
  /// - Parameters:
  ///   - limit: The maximum sum of costs. Values that cost more aren't stored, and the old value of
  ///     their key is removed.
  ///   - cost: A closure that returns the cost of a value. It runs once for each `set`, on the
  ///     caller's thread. A cost below one counts as one.
  public static func cost(
    _ limit: Int, _ cost: @escaping @Sendable (Value) -> Int
  ) -> MemoryCapacity {
    MemoryCapacity(.init(size: limit), measure: cost, arguments: [nil: .count(limit)])
  }

  /// Returns a capacity in bytes, for values whose size only your program knows.
  ///
  ///     let pictures: Cache<URL, Picture> = .memory(
  ///       capacity: .bytes(64 << 20) { 4 * $0.width * $0.height })
  ///
  /// - Parameters:
  ///   - limit: The maximum sum of sizes. Larger values aren't stored, and the old value of their
  ///     key is removed.
  ///   - size: A closure that returns the size of a value in bytes. It runs once for each `set`, on
  ///     the caller's thread.
  public static func bytes(
    _ limit: Int, _ size: @escaping @Sendable (Value) -> Int
  ) -> MemoryCapacity {
    MemoryCapacity(.init(size: limit), measure: size, arguments: [nil: .bytes(limit)])
  }

  /// Returns a capacity that also limits the number of values.
  ///
  /// Each value then takes at least its share of the total size. For example, a capacity of 64 MiB
  /// and 1,000 values holds 1,000 values of at most 67 kB, or 64 values of 1 MiB.
  ///
  /// - Parameter count: The maximum number of values.
  public func and(count: Int) -> MemoryCapacity {
    guard limits.size != nil else { return .count(min(limit, max(0, count))) }
    var (limits, arguments) = (limits, arguments)
    limits.count = count
    arguments["count"] = .count(max(0, count))
    return MemoryCapacity(limits, measure: measure, arguments: arguments)
  }

  /// Creates a capacity for containers of a value.
  @usableFromInline
  init<Inner>(
    like capacity: MemoryCapacity<Inner>, _ inner: @escaping @Sendable (Value) -> Inner
  ) {
    var ofContainer: (@Sendable (Value) -> Int)?
    if let measure = capacity.measure { ofContainer = { measure(inner($0)) } }
    self.init(capacity.limits, measure: ofContainer, arguments: capacity.arguments)
  }
}

extension MemoryCapacity where Value == Data {
  /// Returns a capacity in bytes.
  public static func bytes(_ limit: Int) -> MemoryCapacity { .bytes(limit) { $0.count } }
}

extension MemoryCapacity where Value == String {
  /// Returns a capacity in bytes of UTF-8.
  public static func bytes(_ limit: Int) -> MemoryCapacity { .bytes(limit) { $0.utf8.count } }
}

extension MemoryCapacity where Value == [UInt8] {
  /// Returns a capacity in bytes.
  public static func bytes(_ limit: Int) -> MemoryCapacity { .bytes(limit) { $0.count } }
}

extension MemoryCapacity where Value == Stamped<Data> {
  /// Returns a capacity in bytes, without the stamps.
  public static func bytes(_ limit: Int) -> MemoryCapacity { .bytes(limit) { $0.value.count } }
}

extension MemoryCapacity where Value == Stamped<String> {
  /// Returns a capacity in bytes of UTF-8, without the stamps.
  public static func bytes(_ limit: Int) -> MemoryCapacity { .bytes(limit) { $0.value.utf8.count } }
}

extension MemoryCapacity where Value == Stamped<[UInt8]> {
  /// Returns a capacity in bytes, without the stamps.
  public static func bytes(_ limit: Int) -> MemoryCapacity { .bytes(limit) { $0.value.count } }
}

extension MemoryCapacity {
  /// Unavailable for other types of values, because their size in bytes is unknown.
  @available(
    *, unavailable,
    message:
      "only Data, String, and [UInt8] have bytes: write .bytes(limit) { value in … } for others"
  )
  @_disfavoredOverload
  public static func bytes(_ limit: Int) -> MemoryCapacity { unavailable() }
}
