import Foundation
import Strata

extension Contest {
  /// Gets while another thread of the process writes other keys without a pause.
  ///
  /// The baseline is the median of the same gets, so the ratios tell how far the slow ones stand
  /// out.
  static func besideAWriter(_ size: Int, _ name: String) -> Contest {
    let title = "get of \(name) beside a writer without pause"
    return Contest(group: .disk, title: title) { rounds, scale in
      let shelf = try Shelf(size: size, count: scale.entries(128))
      for key in shelf.names.all { try await shelf.cache.set(shelf.data, for: key).value }
      var figures: [[Double]] = []
      for _ in 0..<rounds {
        let writer = Writer(on: shelf)
        var times = Latencies()
        for index in 0..<scale.entries(20_000) {
          let (found, time) = Latencies.timing { shelf.cache.get(shelf.names[index]) }
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

  /// A thread that writes until it is stopped.
  private final class Writer: Sendable {
    private let isStopped = Guarded(false)
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
