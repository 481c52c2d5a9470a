/// Decodes a body in one or more steps, and checks that the body is complete.
final class BodyDecoder {
  typealias Sink = (UnsafeRawBufferPointer) throws(NetworkError.Reason) -> Void

  /// The maximum number of codings of one body. Without this limit, a hostile origin could exhaust
  /// the client's memory and CPU time.
  static let maximumSteps = 4

  private let steps: [Inflater]
  private let maximumIntermediate: Int
  private var intermediate = 0

  /// - Parameters:
  ///   - codings: The codings in the order in which the origin applied them.
  ///   - maximumIntermediate: The maximum total size in bytes of all intermediate results. These
  ///     are the outputs of all steps except the last one.
  init(_ codings: [BodyCoding], maximumIntermediate: Int) throws(NetworkError.Reason) {
    guard codings.count <= Self.maximumSteps else {
      throw .undecodableBody("it is encoded \(codings.count) times")
    }
    var steps: [Inflater] = []
    for coding in codings.reversed() { steps.append(try Inflater(coding)) }
    self.steps = steps
    self.maximumIntermediate = maximumIntermediate
  }

  /// Decodes the next bytes.
  func write(_ piece: UnsafeRawBufferPointer, to sink: Sink) throws(NetworkError.Reason) {
    try write(piece, step: 0, to: sink)
  }

  /// Checks that every step has reached the end of its stream.
  func finish() throws(NetworkError.Reason) {
    for step in steps { try step.finish() }
  }

  /// Decodes bytes, starting with the given step. This recursion is at most `maximumSteps` deep.
  private func write(
    _ piece: UnsafeRawBufferPointer, step: Int, to sink: Sink
  ) throws(NetworkError.Reason) {
    guard step < steps.count else { return try sink(piece) }
    try steps[step].write(piece) { (output) throws(NetworkError.Reason) in
      if step + 1 < self.steps.count { try self.count(output) }
      try self.write(output, step: step + 1, to: sink)
    }
  }

  private func count(_ output: UnsafeRawBufferPointer) throws(NetworkError.Reason) {
    intermediate += output.count
    guard intermediate <= maximumIntermediate else {
      throw .undecodableBody("its intermediate encoding is too long")
    }
  }
}
