extension Cache {
  /// Returns a cache that limits the number of concurrent gets. Additional gets wait for a permit:
  /// urgent ones first, and gets of the same priority in the order in which they were called.
  ///
  /// A get that is cancelled while it waits leaves the queue and doesn't reach the cache. When a
  /// get is cancelled while it runs, it frees its permit. There's one exception: if the get runs
  /// async functions, it keeps its permit until they have returned. So a function that ignores its
  /// cancellation still counts, even if a time limit around this cache has ended the get. But two
  /// kinds of work end as soon as they are cancelled: promises that callbacks settle, and gets that
  /// async functions await. Back-fills and other writes don't count.
  ///
  /// Writes and memory warnings don't need a permit. Beware of a get that calls this cache
  /// recursively, because it keeps its permit during the nested call. If no other permit is free,
  /// it waits for itself forever, unless a time limit around the queue ends the wait.
  ///
  /// Verbs apply in the order in which you write them. So a time limit before `limited` begins when
  /// a get receives its permit. But a time limit after `limited` also includes the wait for the
  /// permit:
  ///
  ///     let perRequest = network.timingOut(after: .seconds(5)).limited(toConcurrentGets: 4)
  ///     let perGet = network.limited(toConcurrentGets: 4).timingOut(after: .seconds(5))
  ///
  /// Under overload, an unlimited queue would grow until every answer is late. So if the queue is
  /// full when a get is called, the get fails immediately with
  /// ``CacheError/overloaded(stage:waiting:)``.
  ///
  ///     let found = memory + network.limited(toConcurrentGets: 4).pooled()
  ///
  /// A get has the priority of the task that calls it. Outside a task, Linux knows no priority, and
  /// a get has `.medium`. So a row on the screen overtakes all waiting prefetches whose tasks have
  /// the priority `.background`, but not the gets that already run. Suppose that a more urgent get
  /// joins a load in a pool above while the load still waits here. Then the load moves to the more
  /// urgent queue. But a load that already runs doesn't become faster.
  ///
  /// - Parameters:
  ///   - count: The maximum number of concurrent gets. Numbers below one count as one.
  ///   - queue: The maximum number of gets that wait for a permit. The default is 10,000. Choose
  ///     about as many gets as the origin answers in the time that a caller is willing to wait.
  ///   - priority: A closure that returns the priority of a get that must wait. It runs on the
  ///     caller's thread, and again whenever another get joins the waiting load in a pool. The
  ///     default, `nil`, means that the priority of the current task counts.
  /// - Complexity: O(log *n*) for *n* waiting gets. Hits enter two short critical sections and
  ///   don't allocate.
  /// - Law: `a.limited(toConcurrentGets: .max) == a`, and at most `count` gets run at the same
  ///   time. See `limit.transparency`, `limit.bound`, and `limit.order`. All laws are in
  ///   `Laws.limit` and, for priorities, in `Laws.urgency`. `LimitLaws` checks them.
  public func limited(
    toConcurrentGets count: Int, queue: Int = 10_000,
    priority: (@Sendable (Key) -> TaskPriority)? = nil
  ) -> Cache {
    let limiter = ConcurrencyLimiter(max(1, count), queue: max(0, queue))
    var arguments: CachePlan.Arguments = ["toConcurrentGets": .count(count)]
    if queue != 10_000 { arguments["queue"] = .count(queue) }
    let (plan, waiting) = (plan, RunningWork(.steps, plan.stage))
    return transforming(
      .verb(plan, "limited", arguments),
      works: { works in
        works.add(plan.stage, level: nil) { limiter.gauges }
        works.add(waiting)
      }
    ) { cache, reporter in
      var result = cache.operations
      let get = result.get
      result.get = { key in
        guard !limiter.take() else { return limiter.run { get(key) } }
        let start = reporter?.now()
        let given = priority.map { priority -> @Sendable () -> TaskPriority in { priority(key) } }
        let answer = limiter.wait(given) {
          reporter?.report(.wait, key, since: start, Promise<Void>.Outcome.success(()))
          return get(key)
        } refused: {
          CacheError.overloaded(stage: plan.stage, waiting: limiter.longest)
        }
        waiting.follow(answer)
        return answer
      }
      return result
    }
  }
}
