/// The entries that one operation evicted from a memory level.
///
/// The level reports and releases these entries after it has released its locks.
@usableFromInline
struct EvictedEntries<Key, Value> {
  @usableFromInline typealias Entry = (key: Key, value: Value, cause: EvictionCause)

  /// The first value, which is stored inline, so a write that evicts at most one entry doesn't
  /// allocate.
  @usableFromInline var value: Value?
  /// The key of the first value. When it's `nil`, `forEach` uses the key of the write that evicted
  /// the value.
  @usableFromInline var key: Key?
  @usableFromInline var cause = EvictionCause.capacity
  /// All entries after the first.
  @usableFromInline var rest: [Entry]?

  @inlinable
  @inline(__always)
  init() {}

  @inlinable
  @inline(__always)
  init(_ key: Key?, _ value: Value?, _ cause: EvictionCause) {
    (self.key, self.value, self.cause) = (key, value, cause)
  }

  @inlinable
  mutating func append(_ key: Key, _ value: Value, _ cause: EvictionCause) {
    if self.value == nil {
      self = EvictedEntries(key, value, cause)
    } else if rest?.append((key, value, cause)) == nil {
      rest = [(key, value, cause)]
    }
  }

  /// Appends other entries.
  ///
  /// This function isn't inlinable, because it's seldom called, and each inlined copy would take
  /// 600 to 1,000 bytes.
  ///
  /// - Parameter written: The key whose write evicted the entries.
  @usableFromInline
  @inline(never)
  mutating func append(_ other: EvictedEntries, writtenKey written: Key) {
    other.forEach(writtenKey: written) { append($0, $1, $2) }
  }

  /// Calls `body` with each entry, in order.
  ///
  /// - Parameter written: The key whose write evicted the entries.
  @inlinable
  func forEach(writtenKey written: Key, _ body: (Key, Value, EvictionCause) -> Void) {
    if let value { body(key ?? written, value, cause) }
    for entry in rest ?? [] { body(entry.key, entry.value, entry.cause) }
  }
}
