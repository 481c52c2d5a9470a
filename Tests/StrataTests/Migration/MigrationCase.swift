import Foundation
import Strata
import XCTest

/// The base class for migration tests. Declares the caches and functions that the tables' examples
/// use.
class MigrationCase: XCTestCase {
  let upper: Cache<String, Data> = .memory()
  let lower: Cache<String, Data> = .dictionary()
  let queue = DispatchQueue(label: "migration")

  func bytes(_ text: String) -> Data { Data(text.utf8) }

  /// Returns the value of a promise that has settled.
  func now<Value>(_ promise: Promise<Value>) throws -> Value {
    try XCTUnwrap(promise.outcome).get()
  }
}
