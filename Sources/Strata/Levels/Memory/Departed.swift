/// What has left a memory level: to be reported, and released, when no lock is held any more.
@usableFromInline
struct Departed<Key, Value> {
  @usableFromInline typealias Entry = (key: Key, value: Value, cause: EvictionCause)

  /// The first one, in place: most writes let go of one entry at most, and allocate nothing for it.
  @usableFromInline var value: Value?
  /// Its key; `nil` if that is the key that was written, which need not be copied then.
  @usableFromInline var key: Key?
  @usableFromInline var cause = EvictionCause.capacity
  @usableFromInline var others: [Entry]?

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
      self = Departed(key, value, cause)
    } else if others?.append((key, value, cause)) == nil {
      others = [(key, value, cause)]
    }
  }

  /// - Parameter written: The key that was written.
  @inlinable
  mutating func append(_ other: Departed, of written: Key) {
    other.forEach(of: written) { append($0, $1, $2) }
  }

  /// - Parameter written: The key that was written.
  @inlinable
  func forEach(of written: Key, _ body: (Key, Value, EvictionCause) -> Void) {
    if let value { body(key ?? written, value, cause) }
    for other in others ?? [] { body(other.key, other.value, other.cause) }
  }
}
