// says: does not conform to protocol 'StampedValue'
import Strata

struct Dated: StampedValue {
  var value: Int { 1 }
  var storedAt: TimeSource.Instant { TimeSource.system.now() }
  var expiresAt: TimeSource.Instant? { nil }
}
