import Foundation

/// The body of a request while it arrives from the client.
///
/// Short bodies stay in memory. Long ones are written to a temporary file and then mapped, so the
/// volume limits their length, and not the memory. Because the file has no name, it disappears even
/// if the process is killed.
struct UploadBody: ~Copyable {
  /// The longest body that stays in memory, in bytes.
  static let maximumInMemory = 4 << 20

  private let maximum: Int
  private var memory = Data()
  private var file: FileHandle?
  private(set) var count = 0

  /// - Parameter maximum: The maximum size of the body in bytes.
  init(maximum: Int) { self.maximum = maximum }

  /// The number of bytes that still fit.
  var room: Int { maximum - count }

  mutating func append(_ bytes: ArraySlice<UInt8>) throws {
    guard bytes.count <= room else { throw ProxyFault.bodyTooLarge(maximum: maximum) }
    count += bytes.count
    memory.append(contentsOf: bytes)
    guard memory.count > Self.maximumInMemory else { return }
    try writeOut()
  }

  /// Returns the complete body.
  mutating func finish() throws -> Data {
    guard file != nil else { return memory }
    try writeOut()
    guard let file, count > 0,
      let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.fileDescriptor, 0),
      address != MAP_FAILED
    else { throw ProxyFault.noRoom(Self.folder) }
    return Data(bytesNoCopy: address, count: count, deallocator: .unmap)
  }

  private static var folder: String { FileManager.default.temporaryDirectory.path }

  private mutating func writeOut() throws {
    if file == nil { file = try Self.open() }
    do { try file?.write(contentsOf: memory) } catch { throw ProxyFault.noRoom(Self.folder) }
    memory = Data()
  }

  private static func open() throws -> FileHandle {
    var template = Array("\(folder)/strata-upload-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw ProxyFault.noRoom(folder) }
    unlink(template)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
