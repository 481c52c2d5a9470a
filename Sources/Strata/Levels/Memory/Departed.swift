/// What has left a memory level: to be reported, and released, when no lock is held any more.
@usableFromInline
struct Departed<Key, Value> {
  @usableFromInline typealias Entry = (key: Key, value: Value, cause: EvictionCause)

  /// The first one, in place: most writes let go of one entry at most, and allocate nothing for it.
  @usableFromInline var first: Entry?
  @usableFromInline var others: [Entry] = []

  @inlinable
  init() {}

  @inlinable
  init(_ key: Key, _ value: Value, _ cause: EvictionCause) { first = (key, value, cause) }

  @inlinable
  mutating func append(_ key: Key, _ value: Value, _ cause: EvictionCause) {
    if first == nil { first = (key, value, cause) } else { others.append((key, value, cause)) }
  }

  @inlinable
  mutating func append(_ other: Departed) {
    if let first = other.first { append(first.key, first.value, first.cause) }
    for other in other.others { append(other.key, other.value, other.cause) }
  }

  @inlinable
  func forEach(_ body: (Key, Value, EvictionCause) -> Void) {
    if let first { body(first.key, first.value, first.cause) }
    for other in others { body(other.key, other.value, other.cause) }
  }
}
