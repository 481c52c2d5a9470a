@testable import StrataCore
@testable import StrataVerbs

/// A verb with a mistake. The comparison with the flat sum, or the law, must find it.
struct NestedFault {
  /// The pace of the programs that find the fault. `together` checks the law.
  let pace: NestedProgram.Pace
  let verb: NestedVerb

  private init(
    _ name: String, _ pace: NestedProgram.Pace,
    distributed: (@Sendable (Cache<Int, Int>) -> Cache<Int, Int>)? = nil,
    _ apply: @escaping @Sendable (Cache<Int, Int>) -> Cache<Int, Int>
  ) {
    self.pace = pace
    verb = NestedVerb(name: name, distributed: distributed, apply: apply)
  }

  /// A verb that a sum trusts like the verbs of the library.
  private static func changing(
    _ name: String, _ pace: NestedProgram.Pace,
    _ change: @escaping @Sendable (inout CacheOperations<Int, Int>) -> Void
  ) -> NestedFault {
    NestedFault(name, pace) { cache in
      cache.transforming(.verb(cache.plan, "wrong"), conduct: cache.metadata.conduct) { cache, _ in
        var operations = cache.operations
        change(&operations)
        return operations
      }
    }
  }

  static let all: [NestedFault] = [
    NestedFault("limits the whole sum like a level", .alone) { cache in
      cache.transforming(.verb(cache.plan, "wrong"), conduct: .ordered) { cache, _ in
        cache.operations
      }
    },
    NestedFault(
      "loses the bounds of the levels", .alone,
      distributed: { $0.awaitedInSum(atMost: .seconds(3)) }, { $0 }),
    changing("swallows failures", .alone) { operations in
      let set = operations.set
      operations.set = { set($0, $1).recover { _ in } }
    },
    changing("refuses a set, and keeps the older value", .together) { operations in
      let set = operations.set
      operations.set = { key, value in
        value % 20 == 0 ? Promise(error: CacheError.conditionNotSatisfied) : set(key, value)
      }
    },
    changing("drops a remove", .alone) { $0.remove = { _ in Promise() } },
    changing("drops a clear", .slow) { $0.clear = { Promise() } },
    changing("passes the last set on with the next operation", .together) { operations in
      let (below, last) = (operations, Lock<(@Sendable () -> Promise<Void>)?>(nil))
      let flush = { @Sendable in _ = last.withLock { $0.take() }?() }
      operations.set = { key, value in
        flush()
        last.withLock { $0 = { below.set(key, value) } }
        return Promise()
      }
    },
    changing("joins a load that began before a write", .together) { operations in
      let (pool, get) = (Pool<Int, Int>(), operations.get)
      operations.get = { pool.load($0, reportingTo: nil, get) }
    },
    changing("remembers a miss after a write", .slow) { operations in
      let get = operations.get
      let misses = Misses<Int>(capacity: 9, clock: TimeSource.manual().clock)
      operations.get = { misses.get($0, for: { $0.isMiss ? .seconds(3_600) : nil }, get) }
    },
    changing("remembers a value after a write", .together) { operations in
      let (get, values) = (operations.get, Lock<[Int: Int]>([:]))
      operations.get = { key in
        if let value = values.withLock({ $0[key] }) { return Promise(value) }
        return get(key).observed { outcome in
          if let value = outcome.value { values.withLock { $0[key] = value } }
        }
      }
    },
  ]
}
