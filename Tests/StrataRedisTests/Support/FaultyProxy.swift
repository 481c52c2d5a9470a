import Foundation
import StrataLaws

@testable import StrataCore
@testable import StrataVerbs

/// A proxy in front of a server. A test chooses the proxy's faults.
final class FaultyProxy: Sendable {
  /// A function that receives the bytes that the client or the server has sent, and returns the
  /// pieces that the proxy forwards instead. An empty piece ends the connection.
  typealias Fault = @Sendable (_ bytes: [UInt8], inout SeededGenerator) -> [[UInt8]]

  let port: UInt16
  private let listener: ListeningSocket

  init(to port: UInt16, seed: UInt64, requests: @escaping Fault, replies: @escaping Fault) throws {
    listener = try ListeningSocket()
    self.port = listener.port
    let lastSeed = Lock(seed)
    listener.accept { client in
      guard let server = RawClient.connected(to: port) else {
        _ = close(client)
        return
      }
      let seed = lastSeed.withLock { seed in
        seed += 2
        return seed
      }
      let open = Lock(2)
      Self.pump(client, server, requests, seed, open)
      Self.pump(server, client, replies, seed + 1, open)
    }
  }

  deinit { listener.stop() }

  /// Forwards the bytes unchanged.
  static let none: Fault = { bytes, _ in [bytes] }
  /// Forwards each byte separately.
  static let split: Fault = { bytes, _ in bytes.map { [$0] } }
  /// Waits before forwarding the bytes.
  static let delay: Fault = { bytes, generator in
    usleep(.random(in: 0...20_000, using: &generator))
    return [bytes]
  }

  /// Returns a fault that sometimes forwards only the first bytes, and then ends the connection.
  static func cut(one chance: Int) -> Fault {
    { bytes, generator in
      guard Int.random(in: 0..<chance, using: &generator) == 0 else { return [bytes] }
      return [Array(bytes.prefix(.random(in: 0...bytes.count, using: &generator))), []]
    }
  }

  /// Changes one byte.
  static func corrupt(one chance: Int) -> Fault {
    { bytes, generator in
      guard Int.random(in: 0..<chance, using: &generator) == 0 else { return [bytes] }
      var bytes = bytes
      let index = Int.random(in: bytes.indices, using: &generator)
      bytes[index] ^= .random(in: 1...255, using: &generator)
      return [bytes]
    }
  }

  private static func pump(
    _ source: Int32, _ target: Int32, _ fault: @escaping Fault, _ seed: UInt64, _ open: Lock<Int>
  ) {
    Thread.detachNewThread {
      var (generator, buffer) = (SeededGenerator(seed: seed), [UInt8](repeating: 0, count: 4096))
      loop: while true {
        let count = recv(source, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        for piece in fault(Array(buffer[..<count]), &generator) {
          guard !piece.isEmpty, RawClient.write(piece, to: target) else { break loop }
        }
      }
      _ = shutdown(source, Int32(SHUT_RDWR))
      _ = shutdown(target, Int32(SHUT_RDWR))
      let isLast = open.withLock { open in
        open -= 1
        return open == 0
      }
      if isLast {
        _ = close(source)
        _ = close(target)
      }
    }
  }
}
