/// What is printed while files are made of the same work: whoever stops reading does not stop that.
struct Printout {
  private let console: Console
  private let isOnly: Bool
  private var unread: Unread?

  /// - Parameter files: What is written beside it; without any the work ends with the reader.
  init(on console: Console, beside files: [OutputFile?]) {
    self.console = console
    isOnly = files.allSatisfy { $0 == nil }
  }

  mutating func print(_ text: String) throws {
    guard unread == nil else { return }
    do { try console.print(text) } catch let error as Unread {
      if isOnly { throw error }
      unread = error
    }
  }

  /// Throws if not all of it was read.
  func end() throws { if let unread { throw unread } }
}
