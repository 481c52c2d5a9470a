import Foundation

/// The progress of a response. See ``NetworkSession/reportingProgress(of:every:clock:to:during:)``.
public struct LoadProgress: Equatable, Sendable {
  /// The number of bytes of the body that have arrived, before decoding.
  public let received: Int
  /// The number of bytes of the whole body, or `nil` if the origin doesn't state it.
  public let expected: Int?

  /// Creates a progress.
  ///
  /// - Parameters:
  ///   - received: The number of bytes that have arrived.
  ///   - expected: The number of bytes of the whole body, or `nil` if it isn't known.
  public init(received: Int, expected: Int?) {
    (self.received, self.expected) = (received, expected)
  }

  /// The part that has arrived, from 0 to 1, or `nil` if the size of the body isn't known.
  public var fraction: Double? {
    expected.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 }
  }
}

extension NetworkSession {
  /// Runs an operation that waits for a URL, and reports how much of the response has arrived.
  ///
  /// Any caller may have begun the load, and any pools, maps, or levels may be between the load and
  /// the operation. So a row of a list can show how much of its image has arrived, and a script how
  /// much of its download:
  ///
  ///     let page = try await session.reportingProgress(of: url) { progress in
  ///       print(progress.fraction ?? 0)
  ///     } during: {
  ///       try await pages.value(for: url)
  ///     }
  ///
  /// If the value comes from memory or disk, the closure isn't called. After a retry or a redirect,
  /// the count begins again at zero. When an interrupted download continues, the bytes from before
  /// the interruption count as received.
  ///
  /// - Parameters:
  ///   - url: The URL of the request, before any redirect.
  ///   - interval: The time between two checks of the load. The default is a quarter of a second,
  ///     and the minimum is a tenth.
  ///   - clock: The clock that measures the interval. By default, it's the system clock.
  ///   - report: Receives each progress that differs from the one before. This closure is called in
  ///     a separate task, and never after this function has returned.
  ///   - operation: A closure that waits for the value. It's called once.
  /// - Returns: The result of the operation.
  /// - Complexity: O(n) in the number of running requests, for each check. This doesn't slow down
  ///   the load itself.
  public nonisolated(nonsending) func reportingProgress<Value>(
    of url: URL, every interval: Duration = .milliseconds(250), clock: TimeSource = .system,
    to report: @escaping @Sendable (LoadProgress) -> Void,
    during operation: nonisolated(nonsending) () async throws -> Value
  ) async rethrows -> Value {
    let (running, interval) = (running, max(interval, .milliseconds(100)))
    let watch = Task {
      var last: LoadProgress?
      while !Task.isCancelled {
        if let progress = running.transfer(of: url)?.progress, progress != last {
          last = progress
          report(progress)
        }
        let pause = Promise<Void> { continuation in
          continuation.onCancel(clock.after(interval) { continuation.succeed(()) })
        }
        _ = try? await pause.value
      }
    }
    do {
      let value = try await operation()
      watch.cancel()
      await watch.value
      return value
    } catch {
      watch.cancel()
      await watch.value
      throw error
    }
  }
}

/// The transfers of a session that are running.
final class RunningTransfers: Sendable {
  private let state = Lock((last: 0, transfers: [ObjectIdentifier: (Int, Transfer)]()))

  func add(_ transfer: Transfer) {
    state.withLock { state in
      state.last += 1
      state.transfers[ObjectIdentifier(transfer)] = (state.last, transfer)
    }
  }

  func remove(_ transfer: Transfer) {
    state.withLock { _ = $0.transfers.removeValue(forKey: ObjectIdentifier(transfer)) }
  }

  /// Returns the latest transfer of a URL.
  func transfer(of url: URL) -> Transfer? {
    let all = state.withLock { $0.transfers.values.map(\.self) }
    return all.filter { $0.1.url == url }.max { $0.0 < $1.0 }?.1
  }
}

extension Transfer {
  /// The progress of the response. It's `nil` for a redirect, and before the header has arrived.
  /// When the response continues a download, the count includes the bytes before its part.
  var progress: LoadProgress? {
    state.withLock { state in
      guard state.next == nil, let head = state.reader.head else { return nil }
      let start = head.status == 206 ? head.fields["Content-Range"].flatMap(Self.start) ?? 0 : 0
      return LoadProgress(
        received: start + state.reader.received,
        expected: state.reader.announced.flatMap { $0 < 1 << 62 ? $0 + start : nil })
    }
  }

  /// Returns the first position in a `Content-Range` such as `bytes 5-9/10`.
  private static func start(_ range: String) -> Int? {
    let digits = range.drop { $0 != " " }.dropFirst().prefix { $0 != "-" }
    return UInt64(digits: String(digits)).flatMap { $0 < 1 << 62 ? Int($0) : nil }
  }
}
