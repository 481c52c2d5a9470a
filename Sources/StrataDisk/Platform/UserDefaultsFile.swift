import Foundation

extension UserDefaults {
  /// Writes the defaults to their file on systems that don't write the file automatically.
  func writeToFile() {
    #if !canImport(Darwin)
      synchronize()
    #endif
  }
}
