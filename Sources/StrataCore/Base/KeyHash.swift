import Foundation

/// A fast hash function for keys. Its secret numbers are random in each process, so an attacker
/// can't choose keys that collide.
///
/// `String`, `URL`, and the fixed-width integers are hashed directly. For a key of any other type,
/// the function hashes the key's `hashValue`. Equal strings have the same hash, even in different
/// Unicode normal forms.
@usableFromInline
package struct KeyHash: Sendable {
  @usableFromInline let seed: UInt64
  @usableFromInline let multiplier: UInt64

  /// The hash function of this process.
  @usableFromInline package static let ofProcess = KeyHash(seed: .random(in: .min ... .max))

  /// - Parameter seed: The number from which the hash function derives its secret numbers. Tests
  ///   pass a constant.
  @usableFromInline
  init(seed: UInt64) {
    self.seed = KeyHash.folded(seed ^ 0x6c8e_9cf5_7093_2bd5, 0xd1b5_4a32_d192_ed03) ^ seed
    multiplier = KeyHash.folded(seed ^ 0xa24b_aed4_963e_e407, 0x9fb2_1c65_1e98_df25) | 1
  }

  /// Returns the hash of a key. All 64 bits are well mixed.
  @inlinable
  @inline(__always)
  package func callAsFunction<Key: Hashable>(_ key: Key) -> UInt64 {
    if Key.self == String.self { return string(unsafeBitCast(key, to: String.self)) }
    if let bits = KeyHash.bits(of: key) { return integer(bits) }
    if Key.self == URL.self { return url(unsafeBitCast(key, to: URL.self)) }
    let hash = KeyHash.isRequest(Key.self) ? KeyHash.requestHash(key) : key.hashValue
    return integer(UInt64(truncatingIfNeeded: hash))
  }

  /// Whether the key type is a standard type whose `==` is safe to call while a lock is held.
  @inlinable
  @inline(__always)
  static func isPlain<Key>(_ type: Key.Type) -> Bool {
    Key.self == String.self || Key.self == Int.self || Key.self == UInt.self
      || Key.self == Int64.self || Key.self == UInt64.self || Key.self == Int32.self
      || Key.self == UInt32.self || Key.self == Int16.self || Key.self == UInt16.self
      || Key.self == Int8.self || Key.self == UInt8.self
  }

  /// Returns the bits of a fixed-width integer, or `nil` for a key of any other type.
  @inlinable
  @inline(__always)
  static func bits<Key>(of key: Key) -> UInt64? {
    if Key.self == Int.self || Key.self == UInt.self {
      return UInt64(unsafeBitCast(key, to: UInt.self))
    }
    if Key.self == Int64.self || Key.self == UInt64.self {
      return unsafeBitCast(key, to: UInt64.self)
    }
    if Key.self == Int32.self || Key.self == UInt32.self {
      return UInt64(unsafeBitCast(key, to: UInt32.self))
    }
    if Key.self == Int16.self || Key.self == UInt16.self {
      return UInt64(unsafeBitCast(key, to: UInt16.self))
    }
    if Key.self == Int8.self || Key.self == UInt8.self {
      return UInt64(unsafeBitCast(key, to: UInt8.self))
    }
    return nil
  }

  /// Returns the hash of an integer. It multiplies twice, because with some secret numbers, a
  /// single multiplication maps consecutive integers to clusters of hashes.
  @inlinable
  @inline(__always)
  func integer(_ bits: UInt64) -> UInt64 {
    KeyHash.folded(KeyHash.folded(bits ^ seed, multiplier) ^ multiplier, 0xd1b5_4a32_d192_ed03)
  }

  /// Multiplies two numbers, and returns the exclusive OR of the upper and lower halves of the
  /// product.
  @inlinable
  @inline(__always)
  static func folded(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}
