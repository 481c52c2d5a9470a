/// The options of `simulate`.
struct SimulateOptions: Equatable {
  var trace = ""
  var pipeline: SimulatedPipeline
  var html: OutputFile?
  /// The number of requests in each second, for a trace without times.
  var rate = 100
  var isTimed = false
  var isSized = false

  init(_ arguments: [String]) throws {
    var reader = ArgumentReader(arguments)
    var (traces, pipeline): ([String], SimulatedPipeline?) = ([], nil)
    while let argument = try reader.next() {
      switch argument {
      case "--pipeline": pipeline = try SimulatedPipeline(reader.value(after: argument))
      case "--rate": rate = try reader.number(after: argument, in: 1...1_000_000)
      case "--times": isTimed = true
      case "--sizes": isSized = true
      case "--html": html = try reader.file(after: argument)
      case "-": traces.append(argument)
      case _ where argument.hasPrefix("-"): throw UsageError.argument(argument, of: "simulate")
      default: traces.append(argument)
      }
    }
    guard let pipeline else { throw UsageError.value("", of: "--pipeline", expected: "levels") }
    guard let trace = traces.first else {
      throw UsageError.value(
        "", of: "simulate", expected: "a trace: a file, - for standard input, or a name like @zipf")
    }
    if traces.count > 1 { throw UsageError.excess(traces[1], of: "simulate", limit: "one trace") }
    (self.trace, self.pipeline) = (trace, pipeline)
  }
}
