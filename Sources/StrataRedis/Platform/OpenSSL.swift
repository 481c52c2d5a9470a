#if canImport(Glibc)
  import Foundation

  /// The functions of `libssl.so.3` and `libcrypto.so.3`. The process loads these libraries for its
  /// first encrypted connection, and never unloads them.
  ///
  /// On Debian and Ubuntu, `FoundationNetworking` needs the same files, so they're usually there.
  /// None of the functions takes a variable number of arguments, so Swift can call them without C
  /// code.
  struct OpenSSL: Sendable {
    typealias Pointer = OpaquePointer
    typealias Text = UnsafePointer<CChar>
    typealias PasswordCallback =
      @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32

    /// The libraries, or the reason why they can't be used.
    static let shared: Result<OpenSSL, RedisError> = Result { () throws(RedisError) in
      try OpenSSL()
    }

    let initialize: @convention(c) @Sendable (UInt64, Pointer?) -> Int32
    let nextError: @convention(c) @Sendable () -> UInt
    let clearErrors: @convention(c) @Sendable () -> Void
    let errorReason: @convention(c) @Sendable (UInt) -> Text?
    let certificateFault: @convention(c) @Sendable (Int) -> Text?

    let clientMethod: @convention(c) @Sendable () -> Pointer?
    let newContext: @convention(c) @Sendable (Pointer?) -> Pointer?
    let freeContext: @convention(c) @Sendable (Pointer) -> Void
    let controlContext: @convention(c) @Sendable (Pointer, Int32, Int, Pointer?) -> Int
    let setContextOptions: @convention(c) @Sendable (Pointer, UInt64) -> UInt64
    let setVerification: @convention(c) @Sendable (Pointer, Int32, Pointer?) -> Void
    let trustSystem: @convention(c) @Sendable (Pointer) -> Int32
    let trustFile: @convention(c) @Sendable (Pointer, Text?, Text?) -> Int32
    let useCertificates: @convention(c) @Sendable (Pointer, Text) -> Int32
    let useKey: @convention(c) @Sendable (Pointer, Text, Int32) -> Int32
    let setPasswordCallback: @convention(c) @Sendable (Pointer, PasswordCallback?) -> Void
    let setPassword: @convention(c) @Sendable (Pointer, UnsafeMutableRawPointer?) -> Void

    let newConnection: @convention(c) @Sendable (Pointer) -> Pointer?
    let freeConnection: @convention(c) @Sendable (Pointer) -> Void
    let setDescriptor: @convention(c) @Sendable (Pointer, Int32) -> Int32
    let setClient: @convention(c) @Sendable (Pointer) -> Void
    let control: @convention(c) @Sendable (Pointer, Int32, Int, UnsafeMutableRawPointer?) -> Int
    let setHost: @convention(c) @Sendable (Pointer, Text) -> Int32
    let setHostFlags: @convention(c) @Sendable (Pointer, UInt32) -> Void
    let verification: @convention(c) @Sendable (Pointer) -> Pointer?
    let setVerificationFlags: @convention(c) @Sendable (Pointer?, UInt) -> Int32
    let setAddress: @convention(c) @Sendable (Pointer?, Text) -> Int32
    let handshake: @convention(c) @Sendable (Pointer) -> Int32
    let read: @convention(c) @Sendable (Pointer, UnsafeMutableRawPointer?, Int32) -> Int32
    let write: @convention(c) @Sendable (Pointer, UnsafeRawPointer?, Int32) -> Int32
    let hasPending: @convention(c) @Sendable (Pointer) -> Int32
    let error: @convention(c) @Sendable (Pointer, Int32) -> Int32
    let verifyResult: @convention(c) @Sendable (Pointer) -> Int
    let shutdown: @convention(c) @Sendable (Pointer) -> Int32
    let setShutdown: @convention(c) @Sendable (Pointer, Int32) -> Void
    let session: @convention(c) @Sendable (Pointer) -> Pointer?
    let setSession: @convention(c) @Sendable (Pointer, Pointer) -> Int32
    let isReused: @convention(c) @Sendable (Pointer) -> Int32
    let isResumable: @convention(c) @Sendable (Pointer) -> Int32
    let freeSession: @convention(c) @Sendable (Pointer) -> Void

    init(file: String = "libssl.so.3") throws(RedisError) {
      // The library must not free its memory when the process exits, because the connections'
      // threads may still use it.
      let withoutExitHandler: UInt64 = 0x0008_0000
      guard let library = dlopen(file, RTLD_NOW) else {
        let reason = dlerror().map { String(cString: $0) } ?? "it isn't there"
        throw Self.missing(reason)
      }
      func symbol<Function>(_ name: StaticString, _: Function.Type) throws(RedisError) -> Function {
        unsafeBitCast(try Self.address(name, in: library, file), to: Function.self)
      }
      let version = try symbol("OpenSSL_version_num", (@convention(c) () -> UInt).self)()
      guard version >= 0x3000_0000 else {
        throw Self.missing("\(file) has version \(String(version, radix: 16))")
      }
      initialize = try symbol("OPENSSL_init_ssl", type(of: initialize))
      nextError = try symbol("ERR_get_error", type(of: nextError))
      clearErrors = try symbol("ERR_clear_error", type(of: clearErrors))
      errorReason = try symbol("ERR_reason_error_string", type(of: errorReason))
      certificateFault = try symbol("X509_verify_cert_error_string", type(of: certificateFault))
      clientMethod = try symbol("TLS_client_method", type(of: clientMethod))
      newContext = try symbol("SSL_CTX_new", type(of: newContext))
      freeContext = try symbol("SSL_CTX_free", type(of: freeContext))
      controlContext = try symbol("SSL_CTX_ctrl", type(of: controlContext))
      setContextOptions = try symbol("SSL_CTX_set_options", type(of: setContextOptions))
      setVerification = try symbol("SSL_CTX_set_verify", type(of: setVerification))
      trustSystem = try symbol("SSL_CTX_set_default_verify_paths", type(of: trustSystem))
      trustFile = try symbol("SSL_CTX_load_verify_locations", type(of: trustFile))
      useCertificates = try symbol("SSL_CTX_use_certificate_chain_file", type(of: useCertificates))
      useKey = try symbol("SSL_CTX_use_PrivateKey_file", type(of: useKey))
      setPasswordCallback = try symbol(
        "SSL_CTX_set_default_passwd_cb", type(of: setPasswordCallback))
      setPassword = try symbol("SSL_CTX_set_default_passwd_cb_userdata", type(of: setPassword))
      newConnection = try symbol("SSL_new", type(of: newConnection))
      freeConnection = try symbol("SSL_free", type(of: freeConnection))
      setDescriptor = try symbol("SSL_set_fd", type(of: setDescriptor))
      setClient = try symbol("SSL_set_connect_state", type(of: setClient))
      control = try symbol("SSL_ctrl", type(of: control))
      setHost = try symbol("SSL_set1_host", type(of: setHost))
      setHostFlags = try symbol("SSL_set_hostflags", type(of: setHostFlags))
      verification = try symbol("SSL_get0_param", type(of: verification))
      setVerificationFlags = try symbol(
        "X509_VERIFY_PARAM_set_flags", type(of: setVerificationFlags))
      setAddress = try symbol("X509_VERIFY_PARAM_set1_ip_asc", type(of: setAddress))
      handshake = try symbol("SSL_do_handshake", type(of: handshake))
      read = try symbol("SSL_read", type(of: read))
      write = try symbol("SSL_write", type(of: write))
      hasPending = try symbol("SSL_has_pending", type(of: hasPending))
      error = try symbol("SSL_get_error", type(of: error))
      verifyResult = try symbol("SSL_get_verify_result", type(of: verifyResult))
      shutdown = try symbol("SSL_shutdown", type(of: shutdown))
      setShutdown = try symbol("SSL_set_shutdown", type(of: setShutdown))
      session = try symbol("SSL_get1_session", type(of: session))
      setSession = try symbol("SSL_set_session", type(of: setSession))
      isReused = try symbol("SSL_session_reused", type(of: isReused))
      isResumable = try symbol("SSL_SESSION_is_resumable", type(of: isResumable))
      freeSession = try symbol("SSL_SESSION_free", type(of: freeSession))
      guard initialize(withoutExitHandler, nil) == 1 else {
        throw .tls("OpenSSL can't begin. Check its configuration, openssl.cnf")
      }
    }

    private static func missing(_ reason: String) -> RedisError {
      .tls(
        "on Linux, it needs libssl.so.3 of OpenSSL 3, and \(reason). Install OpenSSL 3, for "
          + "example the package libssl3")
    }

    @inline(never)
    private static func address(
      _ name: StaticString, in library: UnsafeMutableRawPointer, _ file: String
    ) throws(RedisError) -> UnsafeMutableRawPointer {
      let symbol = name.withUTF8Buffer { name in
        name.withMemoryRebound(to: CChar.self) { dlsym(library, $0.baseAddress!) }
      }
      guard let symbol else { throw missing("\(file) has no \(name)") }
      return symbol
    }
  }
#endif
