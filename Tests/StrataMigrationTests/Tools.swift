import Synchronization

@testable import StrataCore
@testable import StrataVerbs

/// A list of a test's events, in order.
final class Journal<Entry: Sendable>: Sendable {
  private let state = Mutex<[Entry]>([])

  var entries: [Entry] { state.withLock { $0 } }

  func note(_ entry: Entry) { state.withLock { $0.append(entry) } }
}

/// A promise that a test settles. A journal records if the promise's work is stopped.
struct Later<Value: Sendable>: Sendable {
  let promise: Promise<Value>
  let continuation: Promise<Value>.Continuation

  init(stopping stop: @escaping @Sendable () -> Void = {}) {
    var made: Promise<Value>.Continuation?
    promise = Promise<Value> { (continuation: Promise<Value>.Continuation) in
      continuation.onCancel(stop)
      made = continuation
    }
    continuation = made!
  }

  init(_ name: String, in journal: Journal<String>) {
    self.init { journal.note("\(name) stopped") }
  }
}

extension Promise.Outcome {
  /// The outcome as text, for comparisons in tests.
  var text: String {
    switch self {
    case .success(let value): "\(value)"
    case .failure(let error): "failed: \(error)"
    case .cancelled: "cancelled"
    }
  }
}

extension Promise {
  var text: String { outcome?.text ?? "pending" }

  /// The number of callers that hold an interest in a pending promise.
  var interests: Int {
    guard case .pending(let pending) = state else { return 0 }
    return pending.state.withLock { $0.listeners.interests }
  }

  /// The three ways in which a promise can end.
  static func ends(_ value: Value) -> [Outcome] {
    [.success(value), .failure(Broken.here), .cancelled]
  }
}

enum Broken: Error { case here, there }
