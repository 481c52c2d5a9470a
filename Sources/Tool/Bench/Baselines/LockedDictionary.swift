import Foundation

/// A dictionary under one lock, which is the baseline of most memory benchmarks.
///
/// To be as fast as possible, it uses the system's mutex without a wrapper class.
final class LockedDictionary<Key: Hashable, Value>: @unchecked Sendable {
  // The mutex guards the dictionary.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var values: [Key: Value] = [:]

  init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  subscript(key: Key) -> Value? {
    get {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return values[key]
    }
    set {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      values[key] = newValue
    }
  }
}
