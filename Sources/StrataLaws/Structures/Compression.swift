import Foundation
import StrataVerbs

extension Laws {
  /// A function that returns a codec for compressed bytes. It receives the size from which bytes
  /// are compressed, and the maximum size.
  public typealias Compressing =
    @Sendable (_ threshold: Int, _ maximumSize: Int) -> Codec<Data, Data>

  /// The laws of `.compressed(_:)`.
  public static var compression: Laws {
    compression { .compressed(.identity, from: $0, atMost: $1) }
  }

  /// Returns laws that check your own codec for compressed bytes.
  ///
  /// - Parameter codec: A function that returns the codec for a threshold and a maximum size. Bytes
  ///   without the codec's mark must be decoded unchanged.
  public static func compression(_ codec: @escaping Compressing) -> Laws {
    func law(
      _ name: String, _ statement: String, _ sentence: String,
      judge: @escaping @Sendable (ByteTrial) -> String?
    ) -> Law {
      Law(
        "compression.\(name)", statement, sentence, draw: { ByteTrial(&$0) },
        judge: { trial in
          judge(trial).map { LawEvidence(left: ("seen", [$0]), right: ("lawful", [sentence])) }
        }
      ).waiting
    }
    return Laws(
      "compression",
      [
        law(
          "transparency", "decode(encode(b)) == b",
          "Decoding compressed bytes returns the bytes, whatever they begin with."
        ) { trial in
          let codec = codec(64, 512)
          let stored = settled(codec.encode(trial.bytes))?.value
          let back = stored.flatMap { settled(codec.decode($0))?.value }
          if back != trial.bytes { return "other bytes" }
          let again = stored.flatMap { settled(codec.encode($0))?.value }
          let half = again.flatMap { settled(codec.decode($0))?.value }
          return half == stored ? nil : "other bytes after two codecs"
        },
        law(
          "bound", "decode(s) is at most the maximum, or as long as s",
          "No stored bytes make the codec allocate more than its maximum."
        ) { trial in
          let stored = settled(codec(64, 1 << 20).encode(trial.bomb))?.value ?? Data()
          let decoded = settled(codec(64, 512).decode(stored))?.value
          guard let decoded, decoded.count > max(512, stored.count) else { return nil }
          return "\(stored.count) bytes became \(decoded.count)"
        },
        law(
          "damage", "decode(damaged(encode(b))) is b, or fails",
          "Incomplete, longer, or changed compressed bytes never become other bytes."
        ) { trial in
          let codec = codec(64, 512)
          let plain = Data(repeating: 97, count: 300) + trial.bytes.prefix(40)
          guard let stored = settled(codec.encode(plain))?.value, stored != plain else {
            return nil
          }
          let decoded = settled(codec.decode(trial.damage(stored)))?.value
          guard let decoded, decoded != plain else { return nil }
          return "\(decoded.count) other bytes"
        },
      ])
  }
}

/// Bytes that are random or repetitive, and a kind of damage.
private struct ByteTrial: Trial {
  let bytes: Data
  let place: Int
  let kind: Int

  init(_ random: inout SeededGenerator) {
    let count = [0, 1, 4, 63, 64, 65, 200, 511, 512, 513, 600].randomElement(using: &random) ?? 0
    let isRandom = Bool.random(using: &random)
    var bytes = (0..<count).map { _ in isRandom ? UInt8.random(in: 0...255, using: &random) : 97 }
    if Bool.random(using: &random) {
      for (index, byte) in ([0xFF, 0x5A, 0x53, 0x44] as [UInt8]).enumerated() where index < count {
        bytes[index] = byte
      }
    }
    self.bytes = Data(bytes)
    place = Int.random(in: 0..<1_000, using: &random)
    kind = Int.random(in: 0..<3, using: &random)
  }

  /// Equal bytes, which a compressor makes a thousand times shorter.
  var bomb: Data { Data(repeating: bytes.first ?? 0, count: 20_000 + place) }

  /// Returns compressed bytes with a part removed, added, or changed. The mark stays the same.
  func damage(_ stored: Data) -> Data {
    var stored = stored
    switch kind {
    case 0: stored.removeLast(1 + place % (stored.count - 4))
    case 1: stored.append(UInt8(truncatingIfNeeded: place))
    default: stored[3 + place % (stored.count - 3)] ^= UInt8(1 << (place % 8))
    }
    return stored
  }

  var simpler: [ByteTrial] { [] }
  var size: Int { 1 }
  var lines: [String] {
    ["\(bytes.count) bytes: \(LawText.shortened("\(Array(bytes))"))", "damage \(kind) at \(place)"]
  }
}
