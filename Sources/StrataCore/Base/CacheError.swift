import Foundation

/// An error that a cache operation reports.
///
/// A *miss* means that there is no value, and a *failure* means that something went wrong. To tell
/// them apart, read the property `isMiss` of the error. When no level returns a value, a sum throws
/// the error with the highest rank. Failures have the highest rank, `notFound` has the lowest, and
/// all other misses are between them. Of two errors with the same rank, the sum throws the one of
/// the lower level.
///
/// - Law: Errors form a monoid whose identity is `notFound`. See the law `sum.errors` and the test
///   `CacheErrorTests.testErrorsAreAMonoidWithNotFoundAsItsIdentity`.
public enum CacheError: Error, Equatable, Sendable {
  /// The cache has no value for the key. This is an ordinary miss.
  case notFound
  /// A condition rejected the key, so the level wasn't called. This is also a miss.
  case conditionNotSatisfied
  /// A stage of the cache didn't respond within its time limit. Values that aren't known are `nil`.
  /// The text of the key is shortened.
  case timedOut(stage: String? = nil, after: Duration? = nil, key: String? = nil)
  /// A stage was skipped because an earlier write to the key exceeded its time bound there. Either
  /// this write hasn't settled, or its value hasn't been removed yet.
  case unsettled(stage: String, key: String)
  /// A stage was skipped because it failed too often. The cache doesn't call the stage again before
  /// `until`.
  case circuitOpen(stage: String, until: TimeSource.Instant)
  /// A get was refused because the queue of a stage is full.
  case overloaded(stage: String, waiting: Int)
  /// A level wasn't called, because it was closed with ``Cache/close(atMost:)``.
  case closed(stage: String)
  /// A continuation was released before it received an outcome.
  case abandoned
  /// Stored data can't be decoded, because it's damaged or was written with another model.
  case undecodable(by: String, reason: String)
  /// A codec can't decode a value that came from an origin, such as a network. The value may also
  /// have been stored in a level in the meantime. `key` is the text of the key, shortened to at
  /// most 60 Unicode scalars.
  case undecodableResponse(by: String, reason: String, key: String)
  /// A value can't be encoded, so it wasn't stored.
  case unencodable(by: String, reason: String)
  /// Stored data has a different model version than expected.
  case otherVersion(found: Int, expected: Int)
}

extension CacheError: MissError {
  /// Whether the error is `notFound` or `conditionNotSatisfied`.
  public var isMiss: Bool { self == .notFound || self == .conditionNotSatisfied }
}

extension CacheError: CustomStringConvertible, LocalizedError {
  /// The error and its remedy.
  public var description: String {
    switch self {
    case .notFound:
      "not found: no level has a value for this key. Add a lower level that can load the value, or "
        + "call findValue(for:), which returns nil for a miss."
    case .conditionNotSatisfied:
      "condition not satisfied: the level wasn't called. Add another level below it, or relax the "
        + "condition."
    case .timedOut(let stage, let limit, let key):
      "timed out\(Self.text(stage, key)): no answer within \(Self.text(limit)). "
        + "Allow more time, or find the level that never answers."
    case .unsettled(let stage, let key):
      "unsettled\(Self.text(stage, key)): an earlier write of this key took too long and "
        + "hasn't ended yet, so the level was skipped. Add a lower level that has the value, "
        + "and repair the level that hangs."
    case .circuitOpen(let stage, let until):
      "circuit open in \(stage): the stage failed too often and isn't called until \(until.text). "
        + "Add a lower level that has the value, and repair the stage."
    case .overloaded(let stage, let waiting):
      "overloaded: \(waiting) operations are already waiting for \(stage). Try again later, or allow "
        + "a longer queue."
    case .closed(let stage):
      "closed: \(stage) was closed by close(), so it isn't called. Close a cache after its last use, or "
        + "create a new one."
    case .abandoned:
      "abandoned: a continuation was released without an answer. Call succeed, fail, or cancel on "
        + "every path of the closure that received the continuation."
    case .undecodable(let codec, let reason):
      "undecodable by \(codec): \(reason). The stored data is damaged, or another model wrote it. "
        + "Add a lower level that has the value. The next hit in that level replaces the data."
    case .undecodableResponse(let codec, let reason, let key):
      "undecodable response for \(key) by \(codec): \(reason). Compare the response with the codec "
        + "and the model."
    case .unencodable(let codec, let reason):
      "unencodable by \(codec): \(reason). The value wasn't stored. Store a value that the codec "
        + "can represent, or use another codec."
    case .otherVersion(let found, let expected):
      "stored in version \(found), read as version \(expected). Add a lower level that has the "
        + "value. The next hit in that level replaces the data."
    }
  }

  /// The description, for display in a user interface.
  public var errorDescription: String? { description }

  private static func text(_ limit: Duration?) -> String {
    limit.map { "\($0)" } ?? "the time limit"
  }

  private static func text(_ stage: String?, _ key: String?) -> String {
    (stage.map { " in \($0)" } ?? "") + (key.map { ", key \($0)" } ?? "")
  }
}

extension Error {
  /// Whether the error comes from a level that hangs. Such a level isn't back-filled.
  package var isFromHangingLevel: Bool {
    switch self as? CacheError {
    case .timedOut, .unsettled, .circuitOpen: true
    default: false
    }
  }
}

/// Returns the text of a key for an error message, shortened to at most 60 Unicode scalars. For a
/// URL, it omits the user name, the password, and the query.
package func shortened(_ key: Any) -> String {
  var scalars: [Unicode.Scalar] = []
  for scalar in "\(key)".unicodeScalars {
    if scalars.count == 500 { break }
    scalars.append(scalar)
  }
  if let colon = scalars.firstIndex(of: ":"), colon + 2 < scalars.count, scalars[colon + 1] == "/",
    scalars[colon + 2] == "/"
  {
    let host = colon + 3
    let end = scalars[host...].firstIndex { $0 == "/" || $0 == "?" } ?? scalars.endIndex
    if let at = scalars[host..<end].lastIndex(of: "@") { scalars.removeSubrange(host...at) }
  }
  var (text, kept) = ("", 0)
  while kept < min(60, scalars.count), scalars[kept] != "?" {
    text.unicodeScalars.append(scalars[kept])
    kept += 1
  }
  return text + (kept < scalars.count ? "…" : "")
}

/// An error that can be a miss. If your own error type can mean a miss, let it conform to this
/// protocol, so that a sum ranks its errors correctly.
///
///     struct Sold: MissError { let isMiss = true }
///     let shelf = Fetcher<Int, String> { _ in throw Sold() }
///     let book = try await shelf.findValue(for: 1)  // nil
public protocol MissError: Error {
  /// Whether the error means that there is no value. When it's `false`, the error is a failure.
  var isMiss: Bool { get }
}

extension Error {
  /// Whether this error is a miss, not a failure.
  ///
  /// It's `true` for ``CacheError/notFound``, ``CacheError/conditionNotSatisfied``, a
  /// ``NetworkError`` with status 404 or 410, and a ``MissError`` whose `isMiss` is `true`. For any
  /// other error, it's `false`.
  public var isMiss: Bool {
    if let error = self as? CacheError { return error.isMiss }
    return (self as? any MissError)?.isMiss ?? false
  }
}

extension Error {
  /// Whether this error is a miss other than ``CacheError/conditionNotSatisfied``, so that there is
  /// certainly no value.
  ///
  /// If a condition or `isOffline` prevented the call, the level might have the value all the same.
  ///
  ///     let patient = network.rememberingMisses(
  ///       for: .seconds(30), where: { $0.isAbsence || $0 is CacheError })
  public var isAbsence: Bool { isMiss && self as? CacheError != .conditionNotSatisfied }

  /// Whether a verb has refused the call. Such an error doesn't show whether the level below the
  /// verb works.
  package var isRefusal: Bool {
    switch self as? CacheError {
    case .conditionNotSatisfied, .overloaded, .unsettled, .circuitOpen, .closed: true
    default: false
    }
  }

  /// Whether a level wasn't called, because it was closed. A retry is useless, because a closed
  /// level can't be opened again.
  package var isClosed: Bool { if case .closed? = self as? CacheError { true } else { false } }
}
