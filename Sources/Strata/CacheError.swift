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
  /// The answer did not come within the time given.
  case timedOut
  /// Whoever was to answer let go of the continuation without an answer.
  case abandoned
  /// Stored data that does not decode: damaged, or written by another model.
  case undecodable(by: String, reason: String)
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
    case .timedOut:
      "timed out: no answer within the time given. Allow more time, or look for a level that never "
        + "answers."
    case .abandoned:
      "abandoned: a continuation was released without an answer. Call succeed, fail or cancel on "
        + "every path of the closure that was given it."
    case .undecodable(let codec, let reason):
      "undecodable by \(codec): \(reason). The stored data is damaged or of another model; put a "
        + "level beneath that can answer, and the next hit there replaces it."
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
  var isAbsence: Bool { isMiss && self as? CacheError != .conditionNotSatisfied }
}
