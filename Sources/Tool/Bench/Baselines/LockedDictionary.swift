import Foundation

/// A dictionary that is guarded by one lock. Most memory benchmarks use this dictionary as the
/// baseline.
///
/// To be as fast as possible, the dictionary uses the system's mutex without a wrapper class.
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
