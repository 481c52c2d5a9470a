/// A trace with the times of its requests.
struct TimedTrace: Sendable {
  let trace: RequestTrace
  /// The times of the requests in seconds, in ascending order. They begin at zero.
  let times: [Double]

  /// Creates times at equal distances for the requests of a trace.
  init(_ trace: RequestTrace, perSecond rate: Int) {
    self.trace = trace
    times = trace.requests.indices.map { Double($0) / Double(rate) }
  }

  /// Reads the time at the beginning of each line. A space, a tab, or a comma follows the time.
  ///
  /// - Throws: A ``TraceError`` if a line has no time, or an earlier time than the line before.
  init(timesIn trace: RequestTrace) throws {
    var (numbers, keys, sizes): ([String: Int], [String], [Int]) = ([:], [], [])
    let lines = try trace.keys.enumerated().map { index, line -> (number: Int, time: Double) in
      guard let end = line.firstIndex(where: " \t,".contains), let time = Double(line[..<end]),
        time.isFinite, abs(time) <= 1e12, line.index(after: end) < line.endIndex
      else {
        let place = trace.requests.firstIndex(of: index).map { $0 + 1 }
        throw TraceError(trace.name, line: place, "needs a time in seconds before the key")
      }
      let key = String(line[line.index(after: end)...])
      let number = numbers[key] ?? keys.count
      if number == keys.count {
        numbers[key] = number
        keys.append(key)
        sizes.append(trace.sizes?[index] ?? 1)
      }
      return (number, time)
    }
    let start = trace.requests.first.map { lines[$0].time } ?? 0
    let times = trace.requests.map { lines[$0].time - start }
    if let late = zip(times, times.dropFirst()).enumerated().first(where: {
      $0.element.1 < $0.element.0
    }) {
      throw TraceError(trace.name, line: late.offset + 2, "is earlier than the line before")
    }
    self.times = times
    self.trace = RequestTrace(
      name: trace.name, keys: keys, requests: trace.requests.map { lines[$0].number },
      sizes: trace.sizes == nil ? nil : sizes)
  }
}
