import Synchronization

/// The counters of one stage: the number of operations in flight, and the number of hits that
/// aren't reported as events.
///
/// The counters of gets are in 32 separate sets, called stripes. Every thread uses the counters of
/// one stripe. When a hit isn't reported as an event, the thread only increments counters, and
/// doesn't read the clock. Each stripe has its own cache lines, so threads with different stripes
/// don't slow each other down. Only an unmeasured hit is counted in this way. All other operations
/// are passed to `receive` as events.
@usableFromInline
package final class StageCounter: Sendable {
  /// The counters of the threads that share one stripe. Two stripes are so far apart in memory that
  /// they share no cache line.
  @usableFromInline
  struct Stripe: ~Copyable {
    /// The number of hits that weren't reported as events.
    @usableFromInline let hits = Atomic(0)
    /// The total size in bytes of the values whose hits weren't reported as events.
    @usableFromInline let bytes = Atomic(0)
    /// The number of gets that were reported as events.
    @usableFromInline let reported = Atomic(0)

    init() {}
  }

  /// In each stripe, which several threads may share, the first 64 gets are measured. After these
  /// gets, about one immediate answer in 64 is measured, and a latency histogram counts this answer
  /// 64 times.
  @usableFromInline package static let interval = 64
  /// The distance in bytes between the starts of adjacent stripes.
  @usableFromInline static let stride = 128
  @usableFromInline static let stripeCount = 32

  /// The stripes. Threads change the stripes only with atomic operations.
  @usableFromInline nonisolated(unsafe) let stripes: UnsafeMutableRawPointer
  package let receive: @Sendable (CacheEvent) -> Void
  private let running = Atomic(0)

  /// Creates counters that are all zero.
  ///
  /// - Parameter receive: A closure called once for each event.
  package init(_ receive: @escaping @Sendable (CacheEvent) -> Void) {
    self.receive = receive
    stripes = .allocate(
      byteCount: Self.stripeCount * Self.stride, alignment: Self.stride)
    for index in 0..<Self.stripeCount { pointer(at: index).initialize(to: Stripe()) }
  }

  deinit {
    for index in 0..<Self.stripeCount { pointer(at: index).deinitialize(count: 1) }
    stripes.deallocate()
  }

  @inlinable
  @inline(__always)
  func pointer(at index: Int) -> UnsafeMutablePointer<Stripe> {
    (stripes + index &* Self.stride).assumingMemoryBound(to: Stripe.self)
  }

  /// The stripe of the current thread. Several threads may share a stripe.
  @inlinable
  var stripe: UnsafeMutablePointer<Stripe> {
    @inline(__always) get {
      pointer(at: Int(truncatingIfNeeded: StageCounter.spread(threadAddress()) &>> 59))
    }
  }

  /// Returns a number whose upper bits differ even for similar arguments.
  @inlinable
  @inline(__always)
  static func spread(_ number: UInt) -> UInt { number &* 0x9E37_79B9_7F4A_7C15 }

  /// Counts the start of an operation that doesn't complete immediately. Call `end` when the
  /// operation ends.
  func begin() { running.wrappingAdd(1, ordering: .relaxed) }
  func end() { running.wrappingSubtract(1, ordering: .relaxed) }

  /// The number of operations in flight, without synchronous ones.
  package var inFlight: Int { running.load(ordering: .relaxed) }

  /// The number of hits that weren't reported as events, and the total size of their values in
  /// bytes.
  package var counts: (hits: Int, bytes: Int) {
    (0..<Self.stripeCount).reduce(into: (0, 0)) { sum, index in
      sum.0 += pointer(at: index).pointee.hits.load(ordering: .relaxed)
      sum.1 += pointer(at: index).pointee.bytes.load(ordering: .relaxed)
    }
  }

  /// Resets the get counters of all stripes to zero.
  package func reset() {
    for index in 0..<Self.stripeCount {
      pointer(at: index).pointee.hits.store(0, ordering: .relaxed)
      pointer(at: index).pointee.bytes.store(0, ordering: .relaxed)
      pointer(at: index).pointee.reported.store(0, ordering: .relaxed)
    }
  }
}

extension StageCounter.Stripe {
  /// Returns how many times a latency histogram records the duration of this stripe's next get if
  /// the get settles immediately. Zero means that such a get isn't measured.
  ///
  /// The number of unmeasured gets between two measured ones varies. Otherwise, a loop over a few
  /// keys could measure the same key each time.
  @inlinable
  var weight: Int {
    @inline(__always) get {
      let number = hits.load(ordering: .relaxed) &+ reported.load(ordering: .relaxed)
      if number < StageCounter.interval { return 1 }
      let isDue = StageCounter.spread(UInt(bitPattern: number)) &>> 58 == 0
      return isDue ? StageCounter.interval : 0
    }
  }

  /// Counts a hit for which no event is created.
  @inlinable
  @inline(__always)
  func count(bytes size: Int?) {
    hits.wrappingAdd(1, ordering: .relaxed)
    if let size { bytes.wrappingAdd(size, ordering: .relaxed) }
  }
}
