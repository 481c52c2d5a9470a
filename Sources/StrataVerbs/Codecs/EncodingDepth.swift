import Foundation

/// The error for values that are nested too deeply for a recursive coder.
struct TooDeep: Error, CustomStringConvertible {
  let description =
    "nested more than \(EncodingDepth.deepest) levels deep, which could overflow the stack of a thread"
}

/// Checks how deeply the containers of a value are nested, before an encoder of Foundation encodes
/// the value recursively. In a debug build on Linux, about 200 levels overflow a stack of 512 KB.
enum EncodingDepth {
  /// The maximum number of arrays and objects that contain each other.
  static let deepest = 128

  /// Calls the value's `encode(to:)` with an encoder that stores nothing and counts the levels.
  ///
  /// - Throws: ``TooDeep``, or the error of the value's `encode(to:)`.
  static func check<Value: Encodable>(
    _ value: Value, userInfo: [CodingUserInfoKey: Any]
  ) throws {
    let encoder = DepthEncoder(
      userInfo: userInfo, probe: DepthEncoder.Probe(), level: .init(containers: 0, calls: 0))
    try encoder.encode(value, in: encoder.level)
    if encoder.probe.isTooDeep { throw TooDeep() }
  }
}

/// An encoder that stores nothing.
struct DepthEncoder: Encoder {
  /// Records that a container was nested too deeply, because the functions that create containers
  /// can't throw.
  final class Probe { var isTooDeep = false }

  /// The number of containers around a value, and the number of calls of `encode(to:)` around it.
  struct Level {
    let containers: Int
    let calls: Int
  }

  let userInfo: [CodingUserInfoKey: Any]
  let probe: Probe
  let level: Level

  /// The path, which is always empty, because only errors need it.
  var codingPath: [any CodingKey] { [] }

  fileprivate var inner: Level {
    if level.containers >= EncodingDepth.deepest { probe.isTooDeep = true }
    return Level(containers: level.containers + 1, calls: level.calls)
  }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(DepthKeyedContainer<Key>(encoder: at(inner)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    DepthUnkeyedContainer(encoder: at(inner))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    DepthSingleValueContainer(encoder: self)
  }

  fileprivate func at(_ level: Level) -> DepthEncoder {
    DepthEncoder(userInfo: userInfo, probe: probe, level: level)
  }

  /// The types that contain no other values. Without this set, bytes, for example, would be encoded
  /// one by one.
  private static let leaves = Set(
    [
      Data.self, Date.self, URL.self, Decimal.self, Int8.self, Int16.self, Int32.self, Int64.self,
      UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, Int128.self, UInt128.self,
      Float.self, Int.self, Double.self, String.self, Bool.self, [UInt8].self,
    ].map { (type: Any.Type) in ObjectIdentifier(type) })

  /// Encodes a value at a level. Foundation's encoders write the types in `leaves` themselves.
  fileprivate func encode<Value: Encodable>(_ value: Value, in level: Level) throws {
    guard level.containers <= EncodingDepth.deepest, level.calls <= 2 * EncodingDepth.deepest,
      !probe.isTooDeep
    else { throw TooDeep() }
    if Self.leaves.contains(ObjectIdentifier(Value.self)) { return }
    try value.encode(to: at(Level(containers: level.containers, calls: level.calls + 1)))
  }
}

private struct DepthKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: DepthEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) {}
  func encode(_ value: Bool, forKey key: Key) {}
  func encode(_ value: String, forKey key: Key) {}
  func encode(_ value: Int, forKey key: Key) {}
  func encode(_ value: Double, forKey key: Key) {}
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try encoder.encode(value, in: encoder.level)
  }
  func nestedContainer<Inner>(
    keyedBy type: Inner.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Inner> { encoder.container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.unkeyedContainer()
  }
  func superEncoder() -> any Encoder { encoder }
  func superEncoder(forKey key: Key) -> any Encoder { encoder }
}

private struct DepthUnkeyedContainer: UnkeyedEncodingContainer {
  let encoder: DepthEncoder
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(encoder: DepthEncoder) { self.encoder = encoder }

  mutating func encodeNil() { count += 1 }
  mutating func encode(_ value: Bool) { count += 1 }
  mutating func encode(_ value: String) { count += 1 }
  mutating func encode(_ value: Int) { count += 1 }
  mutating func encode(_ value: Double) { count += 1 }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    count += 1
    try encoder.encode(value, in: encoder.level)
  }
  mutating func nestedContainer<Inner>(keyedBy type: Inner.Type) -> KeyedEncodingContainer<Inner> {
    count += 1
    return encoder.container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    count += 1
    return encoder.unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder {
    count += 1
    return encoder
  }
}

private struct DepthSingleValueContainer: SingleValueEncodingContainer {
  let encoder: DepthEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}
  func encode(_ value: Bool) {}
  func encode(_ value: String) {}
  func encode(_ value: Int) {}
  func encode(_ value: Double) {}
  func encode<Value: Encodable>(_ value: Value) throws {
    try encoder.encode(value, in: encoder.level)
  }
}
