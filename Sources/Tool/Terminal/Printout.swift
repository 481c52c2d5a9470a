/// The printed output of a command that also writes files. When standard output is closed, the
/// command still writes the files.
struct Printout {
  private let console: Console
  private let isOnly: Bool
  private var unread: Unread?

  /// - Parameter files: The output files of the command. When there are none, the printed output is
  ///   the command's only result, so ``print(_:)`` throws an error when standard output is closed.
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

  /// Throws an error if standard output was closed early.
  func end() throws { if let unread { throw unread } }
}
