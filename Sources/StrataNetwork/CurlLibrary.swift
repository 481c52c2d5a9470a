#if canImport(CStrataCurl) && canImport(Glibc)
  internal import CStrataCurl
  import Foundation

  /// The functions of `libcurl.so.4`. This library is loaded once, and never unloaded.
  ///
  /// `FoundationNetworking` links the same file, so the process has only one copy of the library.
  struct CurlLibrary: Sendable {
    typealias Handle = UnsafeMutableRawPointer
    typealias List = UnsafeMutableRawPointer

    /// The library, or the reason why it can't be used.
    static let shared: Result<CurlLibrary, LoadError> = Result { () throws(LoadError) in
      try CurlLibrary()
    }

    /// The reason why libcurl can't be used.
    struct LoadError: Error, CustomStringConvertible {
      let description: String
    }

    /// The minimum version, libcurl 7.66. Earlier versions accept HTTP/0.9, in which any bytes are
    /// a valid response.
    private static let minimumVersion: UInt32 = 0x07_42_00

    /// Whether no call waits for the lookup of a host. Before libcurl 7.87, a cancellation waits for
    /// it, and without the feature AsynchDNS, the start of an exchange does. With such a library,
    /// callers must not use libcurl on their own threads.
    let neverWaitsForLookups: Bool
    // The addresses of C functions, which never change.
    nonisolated(unsafe) let easySetOption: Handle
    nonisolated(unsafe) let easyGetInfo: Handle
    nonisolated(unsafe) let multiSetOption: Handle
    let easyInit: @convention(c) @Sendable () -> Handle?
    let easyCleanup: @convention(c) @Sendable (Handle) -> Void
    let easyPause: @convention(c) @Sendable (Handle, Int32) -> Int32
    let easyError: @convention(c) @Sendable (Int32) -> UnsafePointer<CChar>?
    let multiInit: @convention(c) @Sendable () -> Handle?
    let multiCleanup: @convention(c) @Sendable (Handle) -> Int32
    let multiAdd: @convention(c) @Sendable (Handle, Handle) -> Int32
    let multiRemove: @convention(c) @Sendable (Handle, Handle) -> Int32
    let multiAct:
      @convention(c) @Sendable (Handle, Int32, Int32, UnsafeMutablePointer<Int32>) -> Int32
    let multiRead:
      @convention(c) @Sendable (Handle, UnsafeMutablePointer<Int32>)
        -> UnsafeMutablePointer<strata_message>?
    let listAppend: @convention(c) @Sendable (List?, UnsafePointer<CChar>) -> List?
    let listFree: @convention(c) @Sendable (List?) -> Void

    init(file: String = "libcurl.so.4") throws(LoadError) {
      guard let library = dlopen(file, RTLD_NOW) else {
        throw LoadError(description: dlerror().map { String(cString: $0) } ?? "it isn't there")
      }
      func symbol<Function>(_ name: StaticString, _: Function.Type) throws(LoadError) -> Function {
        unsafeBitCast(try Self.address(name, in: library, file), to: Function.self)
      }
      let version = try Self.version(
        symbol("curl_version_info", (@convention(c) (Int32) -> Handle?).self))
      let hasAsynchDNS = version.features & 1 << 7 != 0
      neverWaitsForLookups = version.number >= 0x07_57_00 && hasAsynchDNS
      easySetOption = try symbol("curl_easy_setopt", Handle.self)
      easyGetInfo = try symbol("curl_easy_getinfo", Handle.self)
      multiSetOption = try symbol("curl_multi_setopt", Handle.self)
      easyInit = try symbol("curl_easy_init", type(of: easyInit))
      easyCleanup = try symbol("curl_easy_cleanup", type(of: easyCleanup))
      easyPause = try symbol("curl_easy_pause", type(of: easyPause))
      easyError = try symbol("curl_easy_strerror", type(of: easyError))
      multiInit = try symbol("curl_multi_init", type(of: multiInit))
      multiCleanup = try symbol("curl_multi_cleanup", type(of: multiCleanup))
      multiAdd = try symbol("curl_multi_add_handle", type(of: multiAdd))
      multiRemove = try symbol("curl_multi_remove_handle", type(of: multiRemove))
      multiAct = try symbol("curl_multi_socket_action", type(of: multiAct))
      multiRead = try symbol("curl_multi_info_read", type(of: multiRead))
      listAppend = try symbol("curl_slist_append", type(of: listAppend))
      listFree = try symbol("curl_slist_free_all", type(of: listFree))
      Self.keepOpenSSL(of: library)
      guard strata_global_init(try symbol("curl_global_init", Handle.self)) == 0 else {
        throw LoadError(description: "curl_global_init failed")
      }
    }

    @inline(never)
    private static func address(
      _ name: StaticString, in library: Handle, _ file: String
    ) throws(LoadError) -> Handle {
      let symbol = name.withUTF8Buffer { name in
        name.withMemoryRebound(to: CChar.self) { dlsym(library, $0.baseAddress!) }
      }
      guard let symbol else { throw LoadError(description: "\(file) has no \(name)") }
      return symbol
    }

    /// Prevents OpenSSL from freeing its memory when the process exits, because the threads of
    /// sessions may still use it. This has no effect if another part of the process has already
    /// initialized OpenSSL, or if libcurl uses another library for TLS.
    private static func keepOpenSSL(of library: Handle) {
      guard let symbol = dlsym(library, "OPENSSL_init_crypto") else { return }
      let initialize = unsafeBitCast(
        symbol, to: (@convention(c) (UInt64, Handle?) -> Int32).self)
      let withoutExitHandler: UInt64 = 0x0008_0000
      _ = initialize(withoutExitHandler, nil)
    }

    private static func version(
      _ information: @convention(c) (Int32) -> Handle?
    ) throws(LoadError) -> strata_curl_version {
      guard let data = information(0)?.assumingMemoryBound(to: strata_curl_version.self).pointee
      else { throw LoadError(description: "libcurl.so.4 has no version") }
      guard data.number >= minimumVersion else {
        let version = String(cString: data.version)
        throw LoadError(description: "libcurl.so.4 has version \(version), older than 7.66")
      }
      return data
    }
  }

  extension CurlLibrary {
    /// Sets an option of a transfer. When the loaded version of libcurl doesn't support the option,
    /// the call has no effect.
    func set(_ easy: Handle, _ option: CurlOption, _ value: Int) {
      _ = strata_set_long(easySetOption, easy, option.rawValue, value)
    }

    func set(_ easy: Handle, _ option: CurlOption, pointer: UnsafeRawPointer?) {
      _ = strata_set_pointer(easySetOption, easy, option.rawValue, pointer)
    }

    func set(_ easy: Handle, _ option: CurlOption, offset: Int64) {
      _ = strata_set_offset(easySetOption, easy, option.rawValue, offset)
    }

    /// Sets a string option of a transfer. libcurl copies the string.
    func set(_ easy: Handle, _ option: CurlOption, _ text: String) {
      text.withCString { set(easy, option, pointer: $0) }
    }

    func set(multi: Handle, _ option: CurlMultiOption, _ value: Int) {
      _ = strata_set_long(multiSetOption, multi, option.rawValue, value)
    }

    func set(multi: Handle, _ option: CurlMultiOption, pointer: UnsafeRawPointer?) {
      _ = strata_set_pointer(multiSetOption, multi, option.rawValue, pointer)
    }
  }
#endif
