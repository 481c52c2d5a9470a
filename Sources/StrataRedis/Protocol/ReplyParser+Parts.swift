extension ReplyParser /* : lists in parts */ {
  /// A reply, or a part of a list whose elements the parser returns one by one.
  enum Part: Equatable {
    case whole(RedisReply)
    /// The beginning of a list with at least one element.
    case header(count: Int)
    case element(RedisReply)
  }

  /// Returns the next reply, or the next part of a list. Returns `nil` if it hasn't arrived
  /// completely.
  ///
  /// - Parameter splitsList: Whether to return the elements of a list one by one. A list inside it
  ///   is returned whole.
  mutating func nextPart(splitsList: @autoclosure () -> Bool) throws(RedisError) -> Part? {
    guard elements == 0 else {
      guard let element = try next() else { return nil }
      if case .push = element { return .whole(element) }
      elements -= 1
      return .element(element)
    }
    guard frames.isEmpty, body == nil, splitsList(), let count = try listHeader() else {
      return try next().map { .whole($0) }
    }
    elements = count
    return .header(count: count)
  }

  /// Reads the header of a list, and returns its count. Returns `nil` if the next reply isn't a
  /// list, or if the list is empty.
  private mutating func listHeader() throws(RedisError) -> Int? {
    guard position < buffer.count, buffer[position] == UInt8(ascii: "*"), let line = try line()
    else { return nil }
    let count = try integer(line.dropFirst())
    guard (1...Int64(limits.bytes / 16)).contains(count) else {
      position = line.lowerBound  // The list is empty, or its length is invalid.
      searched = position
      return nil
    }
    return Int(count)
  }

  /// Whether a line is `OK`, the usual reply to a write, for which nothing needs to be allocated.
  func isOK(_ text: Range<Int>) -> Bool {
    text.count == 2 && buffer[text.lowerBound] == 79 && buffer[text.lowerBound + 1] == 75
  }
}
