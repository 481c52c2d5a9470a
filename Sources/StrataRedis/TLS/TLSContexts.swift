import Foundation
import StrataCore

/// The TLS context of a client, shared by the connections to all servers of a cluster.
///
/// Reading the system's authorities takes up to 200 ms, so the context is made once, and never on
/// the thread of a connection.
final class TLSContexts: Sendable {
  /// The context for addresses without settings. All clients share it.
  static let system = TLSContexts(RedisTLS())

  let settings: RedisTLS
  private let known = Lock<(context: TLSContext, files: [Data?])?>(nil)

  init(_ settings: RedisTLS) { self.settings = settings }

  /// Returns the context. Makes a new one if a file has changed, or if the last attempt failed.
  func context() throws(RedisError) -> TLSContext {
    let files = settings.files.map { path in
      // At most 16 MB, because a device file may be endless.
      try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: 1 << 24)
    }
    return try known.withLock { known throws(RedisError) in
      if let known, known.files == files { return known.context }
      let context = try TLSContext(settings)
      known = (context, files)
      return context
    }
  }
}
