import Foundation
import Strata

extension Benchmark {
  /// Returns a benchmark that measures gets while another thread continuously writes other keys.
  ///
  /// Its baseline is the median duration of all gets. The other rows show the slowest gets, and
  /// compare them with this median.
  static func besideAWriter(_ size: Int, _ name: String) -> Benchmark {
    let title = "get of \(name) during continuous writes"
    return Benchmark(group: .disk, title: title) { rounds, scale in
      let shelf = try Shelf(size: size, count: scale.entries(128))
      for key in shelf.names.all { try await shelf.cache.set(shelf.data, for: key) }
      var figures: [[Double]] = []
      for _ in 0..<rounds {
        let writer = Writer(on: shelf)
        var times = OperationTimes()
        for index in 0..<scale.entries(20_000) {
          let (found, time) = OperationTimes.timing { shelf.cache.get(shelf.names[index]) }
          blackHole(found)
          times.add(time)
        }
        writer.stop()
        figures.append(times.percentiles([0.5, 0.99, 0.999]))
      }
      let median = figures.map { $0[0] }
      return [
        Row(title, "median", .time, median, over: median),
        Row(title, "99 of 100", .time, figures.map { $0[1] }, over: median),
        Row(
          title, "999 of 1,000", .time, figures.map { $0[2] }, over: median, bounds: (200e3, 50e3)),
      ].compactMap { $0 }
    }
  }

  /// A thread that writes until `stop` is called.
  private final class Writer: Sendable {
    private let isStopped = Lock(false)
    private let done = DispatchSemaphore(value: 0)

    init(on shelf: Shelf) {
      Thread.detachNewThread { [isStopped, done] in
        var number = 0
        while !isStopped.withLock({ $0 }) {
          _ = shelf.cache.set("written \(number & 1_023)", shelf.data)
          number += 1
        }
        done.signal()
      }
    }

    func stop() {
      isStopped.withLock { $0 = true }
      done.wait()
    }
  }
}
