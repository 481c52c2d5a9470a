import Foundation

/// The limits of the system within which the tool can run.
enum SystemLimits {
  /// The number of files that the tool needs to open, in addition to those that it inherits.
  static let files = 28

  /// Throws an error if the process can't open enough files. Dispatch would end the process without
  /// an explanation, because its event loop needs descriptors.
  static func check() throws {
    var descriptors: [Int32] = []
    defer { descriptors.forEach { close($0) } }
    while descriptors.count < files {
      let next = open("/dev/null", O_RDONLY)
      guard next >= 0 else {
        throw SystemError(
          "only \(descriptors.count) of \(files) necessary files can be opened (ulimit -n)")
      }
      descriptors.append(next)
    }
  }
}
