import Foundation
import Strata
import XCTest

/// The caches and functions in the examples of the migration tables.
class MigrationCase: XCTestCase {
  let upper: Cache<String, Data> = .memory()
  let lower: Cache<String, Data> = .dictionary()
  let queue = DispatchQueue(label: "migration")

  func bytes(_ text: String) -> Data { Data(text.utf8) }

  /// The value of a promise that has settled.
  func now<Value>(_ promise: Promise<Value>) throws -> Value {
    try XCTUnwrap(promise.outcome).get()
  }
}
