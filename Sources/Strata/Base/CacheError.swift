import Foundation

/// What a cache says when it has no value to give.
///
/// A *miss* is absence, a *failure* is an error; `isMiss` tells them apart, for errors of any type.
/// Of the errors of a sum one stays: any failure outranks misses, any other miss outranks
/// `notFound`, and of equals the lower level's stays.
///
/// - Law: errors are a monoid with `notFound` as its identity: `sum.errors`; see
///   `CacheErrorTests.testErrorsAreAMonoidWithNotFoundAsItsIdentity`.
public enum CacheError: Error, Equatable, Sendable {
  /// No value under this key: the plain miss.
  case notFound
  /// A condition kept the level from being asked: a miss as well.
  case conditionNotSatisfied
  /// A stage had no answer within its time limit. A stage, a limit, or a key that isn't known is
  /// `nil`. The text of the key is shortened.
  case timedOut(stage: String? = nil, after: Duration? = nil, key: String? = nil)
  /// A stage was skipped, because a write of the key has passed its bound there and hasn't settled.
  case unsettled(stage: String, key: String)
  /// A stage was skipped, because it failed too often. It is called again at `until`.
  case circuitOpen(stage: String, until: TimeSource.Instant)
  /// A get was refused, because as many gets as allowed wait for a stage.
  case overloaded(stage: String, waiting: Int)
  /// Whoever was to answer let go of the continuation without an answer.
  case abandoned
  /// Stored data that does not decode: damaged, or written by another model.
  case undecodable(by: String, reason: String)
  /// A value of an origin that doesn't decode. `key` is its shortened key, such as the URL.
  case undecodableResponse(by: String, reason: String, key: String)
  /// A value that does not encode, so nothing was stored.
  case unencodable(by: String, reason: String)
  /// Stored data of another version of the model.
  case otherVersion(found: Int, expected: Int)
}

extension CacheError: MissError {
  /// True of `notFound` and `conditionNotSatisfied`.
  public var isMiss: Bool { self == .notFound || self == .conditionNotSatisfied }
}

extension CacheError: CustomStringConvertible, LocalizedError {
  /// What happened, and what to do about it.
  public var description: String {
    switch self {
    case .notFound:
      "not found: no level holds this key. Put a level beneath that can load it, or use find(_:), "
        + "which answers a miss with nil."
    case .conditionNotSatisfied:
      "condition not satisfied: the level was not asked. Put another level beneath it, or widen its "
        + "condition."
    case .timedOut(let stage, let limit, let key):
      "timed out\(Self.text(stage, key)): no answer within \(Self.text(limit)). "
        + "Allow more time, or look for a level that never answers."
    case .unsettled(let stage, let key):
      "unsettled\(Self.text(stage, key)): an earlier write of this key hasn't settled there, so the "
        + "level was skipped. Put a level below that can answer, and repair the level that hangs."
    case .circuitOpen(let stage, let until):
      "circuit open in \(stage): the stage failed too often and isn't called until \(until.text). "
        + "Put a level below that can answer, and repair the stage."
    case .overloaded(let stage, let waiting):
      "overloaded: \(waiting) gets wait for \(stage) already. Try again later, or allow a longer "
        + "queue."
    case .abandoned:
      "abandoned: a continuation was released without an answer. Call succeed, fail or cancel on "
        + "every path of the closure that was given it."
    case .undecodable(let codec, let reason):
      "undecodable by \(codec): \(reason). The stored data is damaged or of another model; put a "
        + "level beneath that can answer, and the next hit there replaces it."
    case .undecodableResponse(let codec, let reason, let key):
      "undecodable response of \(key) by \(codec): \(reason). Compare what the origin sends with the "
        + "codec and the model."
    case .unencodable(let codec, let reason):
      "unencodable by \(codec): \(reason). Nothing was stored; store a value that the codec can "
        + "represent, or use another codec."
    case .otherVersion(let found, let expected):
      "stored in version \(found), read as version \(expected). Put a level beneath that can answer, "
        + "and the next hit there replaces it."
    }
  }

  /// The description, for those who show errors to people.
  public var errorDescription: String? { description }

  private static func text(_ limit: Duration?) -> String {
    limit.map { "\($0)" } ?? "the time given"
  }

  private static func text(_ stage: String?, _ key: String?) -> String {
    (stage.map { " in \($0)" } ?? "") + (key.map { ", key \($0)" } ?? "")
  }
}

extension Error {
  /// Whether a sum doesn't back-fill the level that failed with this error, because it hangs.
  package var isFromHangingLevel: Bool {
    switch self as? CacheError {
    case .timedOut, .unsettled, .circuitOpen: true
    default: false
    }
  }
}

/// Returns a key as a text of at most 60 scalars for an error, without the user, the password, and
/// the query of a URL.
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

/// An error that may mean absence: conform your own to it, and a sum ranks it rightly.
///
///     struct Sold: MissError { let isMiss = true }
///     let shelf = Fetcher<Int, String> { _ in throw Sold() }
///     let book = try await shelf.find(1)  // nil
public protocol MissError: Error {
  /// Whether this says that there is no value, rather than that something broke.
  var isMiss: Bool { get }
}

extension Error {
  /// Whether this error is a miss: nothing there, rather than something broken.
  ///
  /// True of ``CacheError/notFound``, ``CacheError/conditionNotSatisfied``, a ``NetworkError`` of
  /// status 404 or 410, and of a ``MissError`` that says so; of no other error.
  public var isMiss: Bool {
    if let error = self as? CacheError { return error.isMiss }
    return (self as? any MissError)?.isMiss ?? false
  }
}

extension Error {
  /// Whether it is a miss of somebody who was asked: of all misses but that of a condition.
  package var isAbsence: Bool { isMiss && self as? CacheError != .conditionNotSatisfied }
}
