extension Cache {
  /// Returns a cache that limits the number of concurrent gets. Additional gets wait for a permit:
  /// urgent ones first, and gets of the same priority in the order in which they were called.
  ///
  /// When a get is cancelled while it waits, it leaves the queue and doesn't reach the cache. When
  /// it's cancelled while it runs, it frees its permit. There's one exception: if it runs an async
  /// function directly below, the permit is free only when the function has returned. So a function
  /// that ignores its cancellation, for example after a time limit around this cache, still counts.
  ///
  /// Writes and memory warnings don't need a permit. Beware of a get that calls this cache
  /// recursively, because it keeps its permit during the nested call. With too few permits, it can
  /// wait for itself forever, unless a time limit around the queue ends the wait.
  ///
  /// Verbs apply in the order in which they are written. So a time limit before `limited` begins
  /// when a get receives its permit, and a time limit after `limited` includes the wait:
  ///
  ///     let perRequest = network.timingOut(after: .seconds(5)).limited(toConcurrentGets: 4)
  ///     let perGet = network.limited(toConcurrentGets: 4).timingOut(after: .seconds(5))
  ///
  /// Under overload, an unlimited queue would grow until every answer is late. So a get that is
  /// called while the queue is full fails immediately with
  /// ``CacheError/overloaded(stage:waiting:)``.
  ///
  ///     let found = memory + network.limited(toConcurrentGets: 4).pooled()
  ///
  /// The priority of a get is that of the task that calls it. So a prefetch in a task of the priority
  /// `.background` never delays the rows on the screen by more than the gets that already run. When a
  /// more urgent get joins a load in a pool above, and the load still waits here, the load is raised to
  /// its priority. A load that already runs isn't hurried.
  ///
  /// - Parameters:
  ///   - count: The maximum number of concurrent gets. Below one, it counts as one.
  ///   - queue: The maximum number of gets that wait for a permit. The default is 10,000. Choose
  ///     about as many as the origin answers in the time that a caller waits.
  ///   - priority: A closure that returns the priority of a get that must wait, on the caller's thread.
  ///     It's called again when another get joins the waiting load in a pool. The default, `nil`, takes
  ///     the priority of the current task.
  /// - Complexity: O(log *n*) in the number of waiting gets. Hits enter two short critical sections and don't allocate.
  /// - Law: `a.limited(toConcurrentGets: .max) == a`, and at most `count` gets run at the same
  ///   time. See `limit.transparency`, `limit.bound`, `limit.order`, and the other laws of
  ///   `Laws.limit`, and those of `Laws.urgency` about priorities, checked by `LimitLaws`.
  public func limited(
    toConcurrentGets count: Int, queue: Int = 10_000,
    priority: (@Sendable (Key) -> TaskPriority)? = nil
  ) -> Cache {
    let limiter = ConcurrencyLimiter(max(1, count), queue: max(0, queue))
    var arguments: CachePlan.Arguments = ["toConcurrentGets": .count(count)]
    if queue != 10_000 { arguments["queue"] = .count(queue) }
    let plan = plan
    return transforming(
      .verb(plan, "limited", arguments),
      works: { $0.add(plan.stage, level: nil) { limiter.gauges } }
    ) { cache, reporter in
      var result = cache.operations
      let get = result.get
      result.get = { key in
        guard !limiter.take() else { return limiter.run { get(key) } }
        let start = reporter?.now()
        let given = priority.map { priority -> @Sendable () -> TaskPriority in { priority(key) } }
        return limiter.wait(given) {
          reporter?.report(.wait, key, since: start, Promise<Void>.Outcome.success(()))
          return get(key)
        } refused: {
          CacheError.overloaded(stage: plan.stage, waiting: limiter.longest)
        }
      }
      return result
    }
  }
}
