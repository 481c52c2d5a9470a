import Strata
import StrataLaws

/// Checks that the laws catch faults that can occur in implementations of expiration.
final class TimeFaultTests: FaultCase {
  private func expectCaught(
    _ fault: String, as names: String..., alone: Bool = false, line: UInt = #line,
    _ change: (inout ExpiryVerbs) -> Void
  ) {
    var verbs = ExpiryVerbs()
    change(&verbs)
    expectCaught(fault, by: .expiry(verbs), as: names, alone: alone, line: line)
  }

  func testAnAgeThatPromotionResets() {
    expectCaught("ageReset", as: "time.promotion", "time.neverExtended") { verbs in
      verbs.sum = { upper, lower in
        let last = Box(TimeSource.Instant(sinceEpoch: .zero))
        let young = Cache<Int, Stamped<Int>>(
          get: upper.get,
          set: { key, value in
            // If a value is written a second time, for example by a back-fill, the faulty level
            // gives the value a new stamp.
            defer { last.value = max(last.value, value.storedAt) }
            guard value.storedAt <= last.value, let end = value.expiresAt else {
              return upper.set(key, value)
            }
            let later = Duration.milliseconds(1)
            return upper.set(
              key,
              Stamped(
                value.value, storedAt: value.storedAt.advanced(by: later),
                expiresAt: end.advanced(by: later)))
          }, remove: upper.remove, clear: upper.clear)
        return young + lower
      }
    }
  }

  func testADeadlineThatAHitExtends() {
    expectCaught("deadlineExtended", as: "time.neverExtended") { verbs in
      verbs.after = { level, lifetime, time in
        let inner = level.clocked(by: time).expiring(after: lifetime)
        return Cache(
          get: { key in
            inner.get(key).map { value in
              _ = inner.set(key, value)
              return value
            }
          }, set: inner.set, remove: inner.remove, clear: inner.clear)
      }
    }
  }

  func testADeadlineOneTickTooLate() {
    expectCaught("tooLate", as: "time.deadline") { verbs in
      verbs.after = { level, lifetime, time in
        let early = TimeSource(
          now: { time.now().advanced(by: .nanoseconds(-1)) }, after: time.after)
        let inner = level.clocked(by: time).expiring(after: lifetime)
        let unclocked = Cache(
          get: level.get, set: level.set, remove: level.remove, clear: level.clear)
        return Cache(
          get: unclocked.clocked(by: early).expiring(after: lifetime).get, set: inner.set,
          remove: inner.remove, clear: inner.clear)
      }
    }
  }

  func testALifetimeThatEndsTooEarly() {
    expectCaught("tooShort", as: "time.definition", alone: true) { verbs in
      verbs.after = { $0.clocked(by: $2).expiring(after: $1 - .milliseconds(1)) }
    }
  }

  func testEntriesThatGetALifetimeFromTheVerb() {
    expectCaught("ownTime", as: "time.entries") { verbs in
      verbs.unlimited = { level, time in
        level.clocked(by: time).aged(atMost: .milliseconds(5)).clocked(by: time).expiring { _, _ in
          nil
        }
      }
    }
  }

  func testABoundThatMakesReturnedValuesYoung() {
    expectCaught("boundResets", as: "time.leastBound") { verbs in
      verbs.maxAge = { level, bound, time in
        let inner = level.clocked(by: time).aged(atMost: bound)
        return Cache(
          get: { key in
            inner.get(key).map {
              Stamped($0.value, storedAt: time.now(), expiresAt: $0.expiresAt)
            }
          }, set: inner.set, remove: inner.remove, clear: inner.clear)
      }
    }
  }

  func testABoundedLevelWhoseOldEntriesHideYoungOnes() {
    expectCaught("hides", as: "time.bound") { verbs in
      verbs.sum = { upper, lower in
        let plain = Cache<Int, Stamped<Int>>(
          get: { key in
            upper.get(key).recover { error in
              let below = lower.get(key)
              guard let value = below.outcome?.value else { return below }
              // The faulty back-fill gives the value a new stamp.
              _ = upper.set(
                key,
                Stamped(
                  value.value, storedAt: .init(sinceEpoch: .seconds(1_000_000_000)),
                  expiresAt: value.expiresAt))
              return below
            }
          },
          set: { key, value in
            _ = lower.set(key, value)
            return upper.set(key, value)
          },
          remove: { key in
            _ = lower.remove(key)
            return upper.remove(key)
          },
          clear: {
            _ = lower.clear()
            return upper.clear()
          })
        return plain
      }
    }
  }

  func testAClockThatIsSetBack() {
    expectCaught(
      "clockSetBack",
      by: .clock { wall, _ in TimeSource(now: wall, after: TimeSource.system.after) },
      as: "clock.running", alone: true)
  }

  func testACodecThatStampsAgain() {
    expectCaught(
      "stampsAnew",
      by: .stamps { codec in
        Codec(
          decode: { stored in
            codec.decode(stored.value).map { Stamped($0, storedAt: .init(sinceEpoch: .zero)) }
          },
          encode: { value in
            codec.encode(value.value).map { Stamped($0, storedAt: value.storedAt) }
          })
      }, as: ["stamps.identity", "stamps.age"])
  }
}
