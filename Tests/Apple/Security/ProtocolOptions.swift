import Dispatch
import Foundation

/// https://developer.apple.com/documentation/security/sec_protocol_options_t
public final class sec_protocol_options_t: @unchecked Sendable {
  public init() {}
}

/// https://developer.apple.com/documentation/security/sec_protocol_metadata_t
public final class sec_protocol_metadata_t {}
/// https://developer.apple.com/documentation/security/sec_trust_t
public final class sec_trust_t {}
/// https://developer.apple.com/documentation/security/sec_identity_t
public final class sec_identity_t {}

/// https://developer.apple.com/documentation/security/tls_protocol_version_t
public enum tls_protocol_version_t: UInt16 {
  case TLSv12 = 0x0303
  case TLSv13 = 0x0304
}

/// https://developer.apple.com/documentation/security/sec_protocol_verify_complete_t
public typealias sec_protocol_verify_complete_t = (Bool) -> Void
/// https://developer.apple.com/documentation/security/sec_protocol_verify_t
public typealias sec_protocol_verify_t = (
  sec_protocol_metadata_t, sec_trust_t, @escaping sec_protocol_verify_complete_t
) -> Void

/// https://developer.apple.com/documentation/security/sec_identity_create(_:)
public func sec_identity_create(_ identity: SecIdentity) -> sec_identity_t? { sec_identity_t() }

/// https://developer.apple.com/documentation/security/sec_trust_copy_ref(_:)
public func sec_trust_copy_ref(_ trust: sec_trust_t) -> Unmanaged<SecTrust> {
  Unmanaged.passRetained(SecTrust())
}

/// https://developer.apple.com/documentation/security/sec_protocol_options_set_min_tls_protocol_version(_:_:)
public func sec_protocol_options_set_min_tls_protocol_version(
  _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) {}

/// https://developer.apple.com/documentation/security/sec_protocol_options_set_tls_server_name(_:_:)
public func sec_protocol_options_set_tls_server_name(
  _ options: sec_protocol_options_t, _ server_name: UnsafePointer<CChar>
) {}

/// https://developer.apple.com/documentation/security/sec_protocol_options_set_local_identity(_:_:)
public func sec_protocol_options_set_local_identity(
  _ options: sec_protocol_options_t, _ identity: sec_identity_t
) {}

/// https://developer.apple.com/documentation/security/sec_protocol_options_set_verify_block(_:_:_:)
public func sec_protocol_options_set_verify_block(
  _ options: sec_protocol_options_t, _ verify_block: @escaping sec_protocol_verify_t,
  _ verify_block_queue: DispatchQueue
) {}
