import Foundation
import StandInFoundation

// Certificates of the stand-in contain nothing, and are always trusted.

/// https://developer.apple.com/documentation/security/errsecauthfailed
public let errSecAuthFailed: OSStatus = -25293

/// https://developer.apple.com/documentation/security/seccertificate
public final class SecCertificate {}
/// https://developer.apple.com/documentation/security/secidentity
public final class SecIdentity {}
/// https://developer.apple.com/documentation/security/secpolicy
public final class SecPolicy {}
/// https://developer.apple.com/documentation/security/sectrust
public final class SecTrust {}

/// https://developer.apple.com/documentation/security/seccertificatecreatewithdata(_:_:)
public func SecCertificateCreateWithData(
  _ allocator: CFAllocator?, _ data: CFData
) -> SecCertificate? {
  data.length == 0 ? nil : SecCertificate()
}

// See https://developer.apple.com/documentation/security/secpkcs12import(_:_:_:)
public nonisolated(unsafe) let kSecImportExportPassphrase: CFString = "passphrase"
public nonisolated(unsafe) let kSecImportItemIdentity: CFString = "identity"
public func SecPKCS12Import(
  _ pkcs12_data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  errSecAuthFailed
}

/// https://developer.apple.com/documentation/security/secpolicycreatessl(_:_:)
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { SecPolicy() }

/// https://developer.apple.com/documentation/security/sectrustsetpolicies(_:_:)
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
  errSecSuccess
}

/// https://developer.apple.com/documentation/security/sectrustsetanchorcertificates(_:_:)
@discardableResult
public func SecTrustSetAnchorCertificates(
  _ trust: SecTrust, _ anchorCertificates: CFArray?
) -> OSStatus {
  errSecSuccess
}

/// https://developer.apple.com/documentation/security/sectrustsetanchorcertificatesonly(_:_:)
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(
  _ trust: SecTrust, _ anchorCertificatesOnly: Bool
) -> OSStatus {
  errSecSuccess
}

/// https://developer.apple.com/documentation/security/sectrustevaluatewitherror(_:_:)
public func SecTrustEvaluateWithError(
  _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool {
  true
}
