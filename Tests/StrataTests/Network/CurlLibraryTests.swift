#if canImport(CStrataCurl) && canImport(Glibc)
  import Foundation
  import XCTest

  @testable import StrataCore
  @testable import StrataNetwork

  final class CurlLibraryTests: XCTestCase {
    private static let compiler = "/usr/bin/cc"
    private let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("strata-curl-\(UUID().uuidString)")

    override func setUpWithError() throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    /// Compiles a library with a single function, which returns the version of the library. The
    /// first call returns version 7.65.3, and later calls return 7.66.0. Skips the test if there is
    /// no compiler.
    private func makeLibrary() throws -> String {
      guard FileManager.default.isExecutableFile(atPath: Self.compiler) else {
        throw XCTSkip("there is no \(Self.compiler)")
      }
      let source = folder.appendingPathComponent("version.c")
      let library = folder.appendingPathComponent("version.so").path
      let text = """
        static struct { int age; const char *version; unsigned int number; } versions[] = {
          {0, "7.65.3", 0x074103}, {0, "7.66.0", 0x074200}
        };
        static int calls;
        void *curl_version_info(int age) { return &versions[calls++ > 0]; }
        """
      try Data(text.utf8).write(to: source)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: Self.compiler)
      process.arguments = ["-shared", "-fPIC", "-nostdlib", "-o", library, source.path]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw XCTSkip("\(Self.compiler) failed") }
      return library
    }

    func testLibcurl766IsTheOldestVersionThatIsUsed() throws {
      let file = try makeLibrary()
      XCTAssertThrowsError(try CurlLibrary(file: file)) { error in
        XCTAssertEqual("\(error)", "libcurl.so.4 has version 7.65.3, older than 7.66")
      }
      XCTAssertThrowsError(try CurlLibrary(file: file)) { error in
        XCTAssertEqual("\(error)", "\(file) has no curl_easy_setopt")
      }
    }

    /// When a process exits, the threads of its sessions still run. If OpenSSL then freed its memory,
    /// a thread with an open connection could crash.
    func testOpenSSLStaysUsableWhileTheProcessExits() throws {
      guard try runsAlone() else { return }
      // Exit handlers run in the reverse order, so this one runs after OpenSSL's, if it has one.
      atexit {
        guard let symbol = dlsym(nil, "OPENSSL_init_crypto") else { return }
        let initialize = unsafeBitCast(
          symbol, to: (@convention(c) (UInt64, UnsafeRawPointer?) -> Int32).self)
        let onlyBase: UInt64 = 0x0004_0000
        guard initialize(onlyBase, nil) != 1 else { return }
        print("OpenSSL has freed its memory")
        fflush(nil)
        _exit(1)
      }
      _ = try CurlLibrary.shared.get()
    }
  }
#endif
