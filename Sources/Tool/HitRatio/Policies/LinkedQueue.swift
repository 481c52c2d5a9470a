/// A doubly linked queue of integers, which are at least 0 and less than the `keys` argument of the
/// initializer. All operations take constant time.
///
/// No integer is in the queue twice.
struct LinkedQueue {
  private var newer: [Int]
  private var older: [Int]
  private(set) var count = 0
  /// The oldest element, or -1 if the queue is empty.
  private(set) var oldest = -1
  private(set) var newest = -1

  init(keys: Int) {
    newer = Array(repeating: -1, count: keys)
    older = newer
  }

  mutating func append(_ key: Int) {
    (older[key], newer[key]) = (newest, -1)
    if newest >= 0 { newer[newest] = key } else { oldest = key }
    newest = key
    count += 1
  }

  mutating func remove(_ key: Int) {
    let (before, after) = (older[key], newer[key])
    if before >= 0 { newer[before] = after } else { oldest = after }
    if after >= 0 { older[after] = before } else { newest = before }
    count -= 1
  }

  mutating func removeOldest() -> Int {
    let key = oldest
    remove(key)
    return key
  }

  /// Returns the next newer element, or -1 if the given element is the newest element.
  func next(after key: Int) -> Int { newer[key] }
}
