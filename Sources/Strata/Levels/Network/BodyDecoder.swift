/// Decodes a body in one or several steps, and checks that it is complete.
final class BodyDecoder {
  typealias Sink = (UnsafeRawBufferPointer) throws(NetworkError.Reason) -> Void

  /// The maximum number of codings of one body. More codings would only exhaust the client.
  static let maximumSteps = 4

  private let steps: [Inflater]
  private let maximumIntermediate: Int
  private var intermediate = 0

  /// - Parameters:
  ///   - codings: The codings in the order of their application.
  ///   - maximumIntermediate: The maximum number of bytes between two steps.
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

  /// Checks that every step is at the end of its stream.
  func finish() throws(NetworkError.Reason) {
    for step in steps { try step.finish() }
  }

  /// Recursive, to a depth of at most four.
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
