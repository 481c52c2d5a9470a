import StrataNetwork

/// A stored response, with the request fields that selected the response.
struct StoredResponse: Sendable, Equatable {
  /// The response without the fields that must not be stored. Its body is complete, or it's the
  /// part at ``range``.
  var response: NetworkResponse
  /// The request fields that `Vary` lists, with their normalized values.
  var selecting: [SelectingField]
  /// The position of the body in the representation, or `nil` for a complete body.
  var range: StoredRange?

  init(_ response: NetworkResponse, selecting: [SelectingField] = [], range: StoredRange? = nil) {
    (self.response, self.selecting, self.range) = (response, selecting, range)
  }

  /// Whether the body is the complete representation.
  var isComplete: Bool { range == nil }
}
