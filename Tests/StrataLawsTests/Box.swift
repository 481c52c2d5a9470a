import Foundation

/// A value that is protected by a lock. Faulty implementations use boxes for their state.
final class Box<Value>: @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var held: Value

  init(_ value: Value) { held = value }

  var value: Value {
    get { lock.withLock { held } }
    set { lock.withLock { held = newValue } }
  }

  func update<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&held) } }
}
