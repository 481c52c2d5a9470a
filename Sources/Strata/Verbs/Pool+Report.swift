extension Pool {
  /// Loads, or joins a load; a get that joins reports how long it has waited.
  func load(
    _ key: Key, _ get: (Key) -> Promise<Value>, _ reporter: Reporter
  ) -> Promise<Value> {
    let start = reporter.now()
    var isJoined = true
    let answer = load(key) { key in
      isJoined = false
      return get(key)
    }
    return isJoined ? answer.observed { reporter.report(.join, key, since: start, $0) } : answer
  }
}
