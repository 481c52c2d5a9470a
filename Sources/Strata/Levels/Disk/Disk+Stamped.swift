import Foundation

extension Cache where Key == String, Value == Stamped<Data> {
  /// A level on disk of stamped bytes: birth and deadline are kept with each record.
  ///
  /// Chosen by the type of the value; put `.stamped(codec)` after it. A record past its deadline,
  /// or born more than 60 seconds ahead, is a miss, known before a decoder has seen it, and is not
  /// kept when its part of the log goes. Moments are kept in milliseconds, rounded down: a value
  /// that comes from the disk may live a little less long and be a little older, never the other
  /// way.
  ///
  ///     let pages: Cache<URL, Stamped<String>> =
  ///       .memory() + \.absoluteString <^> .disk("pages") <*> .stamped(.utf8)
  ///
  /// What a plain disk level has written into the same folder was born when it was written, and
  /// lives for ever.
  ///
  /// - Parameters:
  ///   - name: As for plain bytes.
  ///   - directory: As for plain bytes.
  ///   - capacity: As for plain bytes.
  ///   - time: The clock of the level: the one that the verbs around it have.
  /// - Law: promotion keeps birth and deadline, to a millisecond; see `StampedDiskTests`.
  public static func disk(
    _ name: String = "default", in directory: URL? = nil, capacity: Int = 100_000_000,
    on time: TimeSource = .system
  ) -> Cache {
    disk(storage: DiskStorage(name, in: directory, capacity: capacity), on: time)
  }

  /// A level on disk of stamped bytes, over a storage whose figures and capacity are of interest.
  ///
  ///     let storage = DiskStorage("pages", capacity: 500_000_000)
  ///     let pages: Cache<String, Stamped<Data>> = .disk(storage: storage)
  ///
  /// - Parameters:
  ///   - storage: What lies beneath the level.
  ///   - time: The clock of the level: the one that the verbs around it have.
  public static func disk(storage: DiskStorage, on time: TimeSource = .system) -> Cache {
    let now = time.now
    return disk(
      storage.log,
      face: DiskFace(
        value: { stored in
          Stamped(
            stored.value, storedAt: TimeSource.Instant(milliseconds: stored.born),
            expiresAt: stored.deadline == .max
              ? nil : TimeSource.Instant(milliseconds: stored.deadline))
        },
        draft: { stamped in
          DraftValue(
            value: stamped.value, born: stamped.storedAt.milliseconds,
            deadline: stamped.expiresAt?.milliseconds ?? .max)
        },
        now: { now().milliseconds }),
      plan: .level("disk", detail: CachePlan.bytes(max(0, storage.capacity))))
  }
}

extension TimeSource.Instant {
  init(milliseconds: Int64) { self.init(sinceEpoch: .milliseconds(milliseconds)) }

  /// Whole milliseconds since 1970, rounded down.
  var milliseconds: Int64 {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    return rest < 0 ? whole - 1 : whole
  }
}
