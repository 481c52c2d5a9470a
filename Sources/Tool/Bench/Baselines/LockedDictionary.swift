import Foundation

/// The baseline of all: a dictionary under one lock.
///
/// The lock is the system's, without a class around it: as little as there can be.
final class LockedDictionary<Key: Hashable, Value>: @unchecked Sendable {
  // The dictionary is reached under the lock alone.
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
