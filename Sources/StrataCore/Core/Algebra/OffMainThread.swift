import Dispatch

/// A function that runs work on another thread.
package typealias Worker = @Sendable (@escaping @Sendable () -> Void) -> Void

extension DispatchQueue {
  /// The queue for work that must not run on the caller's thread. It's concurrent, so gets don't
  /// wait for each other.
  package static let work = DispatchQueue(label: "strata.work", attributes: .concurrent)

  /// Runs work on this queue.
  package var worker: Worker { { self.async(execute: $0) } }
}

extension Promise {
  /// Begins work on another thread, unless the returned promise is cancelled first.
  package static func begun(_ worker: Worker, _ work: @escaping @Sendable () -> Promise) -> Promise
  {
    let (result, share) = (Pending<Value>(), BegunTasks.share())
    let begin = { @Sendable in if result.outcome == nil { result.follow(work()) } }
    worker { if let share { share.run(begin) } else { begin() } }
    return Promise(.pending(result))
  }
}

extension KeyedQueue {
  /// Begins a write on another thread, unless the write is cancelled first.
  ///
  /// When the level has settled this write, the next write to the same key can begin.
  package static func begun(
    _ worker: Worker, _ work: @escaping @Sendable () -> Promise<Void>
  ) -> Begun {
    let (result, end) = (Pending<Void>(), Pending<Void>())
    worker {
      guard result.outcome == nil else { return _ = end.settle(.success(())) }
      let write = work()
      result.follow(write)
      write.observed { _ in end.settle(.success(())) }
    }
    return (Promise(.pending(result)), Promise(.pending(end)))
  }
}

extension Cache /* : codecs */ {
  /// Returns a version of a codec's function that runs off the main thread. If no disk level below
  /// the codec works off the main thread, returns `work` unchanged.
  ///
  /// On the main thread, the returned function processes a value of at most 512 bytes. Values of
  /// unknown size count as larger.
  @usableFromInline
  func offMainThread<Other: Sendable, Input: Sendable, Output>(
    _ work: @escaping @Sendable (Other, Input) -> Promise<Output>
  ) -> @Sendable (Other, Input) -> Promise<Output> {
    guard plan.node.isOffMainThread else { return work }
    return { other, input in
      guard MainThread.isCurrent, CacheEvent.bytes(of: input) ?? .max > 512 else {
        return work(other, input)
      }
      return .begun(DispatchQueue.work.worker) { work(other, input) }
    }
  }

  /// Returns a version of a codec's function that runs off the main thread. If no disk level below
  /// the codec works off the main thread, returns `work` unchanged.
  @usableFromInline
  func offMainThread<Input: Sendable, Output>(
    _ work: @escaping @Sendable (Input) -> Promise<Output>
  ) -> @Sendable (Input) -> Promise<Output> {
    guard plan.node.isOffMainThread else { return work }
    let work = offMainThread { (_: Void, input: Input) in work(input) }
    return { work((), $0) }
  }
}
