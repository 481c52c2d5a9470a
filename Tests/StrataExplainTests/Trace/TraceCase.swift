import StrataLaws
import XCTest

@testable import StrataCore
@testable import StrataExplain
@testable import StrataVerbs

/// The base class of tests that need a trace. The traced get misses in memory and on disk, and then
/// reads the network. A pool contains the disk and the network. All times are virtual.
class TraceCase: XCTestCase {
  func trace(_ name: String = "network") throws -> Trace {
    let (time, clock) = TimeSource.manual()
    let recorder = Recorder(clock: time)
    let disk = ScriptedLevel(0, LevelScript(hasSlowGets: true))
    let network = ScriptedLevel(1, LevelScript(contents: [7: 70], hasSlowGets: true))
    let cache =
      (Cache<Int, Int>.memory().named("memory")
      + (disk.cache.named("disk") + network.cache.fetcher.named(name)).pooled())
      .named("pages").observed(by: recorder)
    let promise = recorder.trace { cache.get(7) }
    clock.advance(by: .milliseconds(10))
    disk.settle(0)
    clock.advance(by: .milliseconds(30))
    network.settle(0)
    return try XCTUnwrap(promise.outcome?.value?.trace)
  }
}
