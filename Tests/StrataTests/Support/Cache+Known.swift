import Strata

extension Cache {
  /// Returns the values that a get of many keys finds, by key.
  func known(of keys: some Sequence<Key>) -> Promise<[Key: Value]> {
    let keys = Array(keys)
    return outcomes(of: keys).map { outcomes in
      Dictionary(
        zip(keys, outcomes).compactMap { key, outcome in outcome.value.map { (key, $0) } }
      ) { first, _ in first }
    }
  }
}
