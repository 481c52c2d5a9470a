import Foundation

extension Cache where Value: StampedValue {
  /// A level in memory of stamped values: it lets go of what is over.
  ///
  /// Chosen by the type of the value. Entries past their deadline are found without looking at the
  /// others, and some go at each `set`; a value that is over already, or born more than 60 seconds
  /// ahead, is not kept, and what was under its key is removed. A get answers what is held, as it
  /// is: it is the verb around the level, such as `expiring`, that looks at the clock. What is over
  /// is reported, to `onEviction` and to observers, when it goes, and so not before the next `set`.
  ///
  ///     let stamped: Cache<URL, Stamped<Article>> = .memory(capacity: 500)
  ///     let images: Cache<URL, Stamped<Data>> = .memory(cost: .bytes)
  ///
  /// - Parameters:
  ///   - capacity: As for other values.
  ///   - cost: What a value counts for; see ``Cost/stamped(_:)``.
  ///   - onMemoryWarning: What a memory warning does.
  ///   - onEviction: Called with each value that has left, and why.
  /// - Complexity: O(1) for get, set and remove; 12 bytes more for an entry with a deadline. A
  ///   `set` looks at 16 entries that are due at most.
  /// - Law: as for other values; see `LevelLaws.testMemory` and `MemoryStampedTests`.
  @inlinable
  public static func memory(
    capacity: Int? = nil, cost: Cost<Value>? = nil,
    onMemoryWarning: MemoryWarningResponse = .clear,
    onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)? = nil
  ) -> Cache {
    memory(
      capacity: capacity, cost: cost, onMemoryWarning: onMemoryWarning, on: .system,
      onEviction: onEviction)
  }

  /// A level in memory of stamped values, with a clock of its own.
  ///
  ///     let (time, clock) = TimeSource.manual()
  ///     let level: Cache<String, Stamped<Data>> = .memory(on: time)
  ///     let pages = level.expiring(after: .seconds(60), on: time)
  ///
  /// - Parameters:
  ///   - capacity: As for other values.
  ///   - cost: What a value counts for; see ``Cost/stamped(_:)``.
  ///   - onMemoryWarning: What a memory warning does.
  ///   - time: The clock of the level: the one that the verbs around it have.
  ///   - onEviction: Called with each value that has left, and why.
  @inlinable
  public static func memory(
    capacity: Int? = nil, cost: Cost<Value>? = nil,
    onMemoryWarning: MemoryWarningResponse = .clear, on time: TimeSource,
    onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)? = nil
  ) -> Cache {
    let bound = capacity ?? (cost == nil ? 1000 : 64 << 20)
    let store = MemoryStore<Key, Value>(
      capacity: bound, cost: cost?.of, ages: Ages(time.now) { ($0.storedAt, $0.expiresAt) })
    return memory(store, onMemoryWarning, onEviction, spine: { .memory(bound, cost, $0) })
  }

  /// A level in memory of stamped values that are over when nobody has wanted them for some time.
  ///
  /// A get of what is over is a miss; it goes, and is reported, at one of the next calls of `set`,
  /// each of which looks at 16 entries at most.
  ///
  ///     let images: Cache<URL, Stamped<Data>> = .memory(
  ///       cost: .bytes, expiringAfterAccess: .seconds(600))
  ///
  /// - Parameters:
  ///   - capacity: As for other values.
  ///   - cost: What a value counts for; see ``Cost/stamped(_:)``.
  ///   - onMemoryWarning: What a memory warning does.
  ///   - idle: After which time without a hit an entry is over. A hit does not move its deadline,
  ///     at which it is over all the same. With zero or less it is at once.
  ///   - time: The clock of the level: the one that the verbs around it have.
  ///   - onEviction: Called with each value that has left, and why.
  /// - Complexity: As without; a look at the clock for each hit, an allocation for each `set`.
  /// - Law: see `IdlingTests.testWhatNobodyWantsIsOver`.
  @inlinable
  public static func memory(
    capacity: Int? = nil, cost: Cost<Value>? = nil,
    onMemoryWarning: MemoryWarningResponse = .clear, expiringAfterAccess idle: Duration,
    on time: TimeSource = .system,
    onEviction: (@Sendable (Key, Value, EvictionCause) -> Void)? = nil
  ) -> Cache {
    let (bound, idle) = (capacity ?? (cost == nil ? 1000 : 64 << 20), idle.wholeNanoseconds)
    let idlingCost = cost.map { Cost<Idling<Value>>(like: $0) { $0.stamped } }
    let store = MemoryStore<Key, Idling<Value>>(
      capacity: bound, cost: idlingCost?.of,
      ages: Ages(time.now) { ($0.stamped.storedAt, $0.end(after: idle)) })
    var report: (@Sendable (Key, Idling<Value>, EvictionCause) -> Void)?
    if let onEviction { report = { key, value, cause in onEviction(key, value.stamped, cause) } }
    let level = Cache<Key, Idling<Value>>.memory(
      store, onMemoryWarning, report, spine: { .memory(bound, idlingCost, $0) })
    return level.unwrapped(after: idle, on: time)
  }
}

extension Cost where Value: StampedValue {
  /// The cost of a value without its stamps.
  ///
  ///     let images: Cache<URL, Stamped<Picture>> = .memory(
  ///       cost: .stamped(.pixels { ($0.width, $0.height) }))
  public static func stamped(_ cost: Cost<Value.Plain>) -> Cost {
    Cost(like: cost) { $0.value }
  }
}

extension Cost where Value == Stamped<Data> {
  /// The number of bytes, without the stamps.
  public static var bytes: Cost { .stamped(.bytes) }
}

extension Cost where Value == Stamped<String> {
  /// The number of bytes in UTF-8, without the stamps.
  public static var bytes: Cost { .stamped(.bytes) }
}

extension Cost where Value == Stamped<[UInt8]> {
  /// The number of bytes, without the stamps.
  public static var bytes: Cost { .stamped(.bytes) }
}

extension Cost {
  /// The cost of what is wrapped.
  @usableFromInline
  init<Inner>(like cost: Cost<Inner>, _ inner: @escaping @Sendable (Value) -> Inner) {
    self.init(of: { cost.of(inner($0)) }, isBytes: cost.isBytes)
  }
}
