import Foundation

extension UserDefaults {
  /// Writes the defaults to their file, on systems that don't do so by themselves.
  func writeToFile() {
    #if !canImport(Darwin)
      synchronize()
    #endif
  }
}
