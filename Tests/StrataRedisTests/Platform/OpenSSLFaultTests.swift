#if canImport(Glibc)
  import XCTest

  @testable import StrataRedis

  final class OpenSSLFaultTests: XCTestCase {
    func testEveryFaultHasACauseAndARemedy() {
      let name = TLSName.host("cache.internal")
      var texts: [String] = []
      for verification in 1...100 {
        texts.append("\(OpenSSLFault.certificateFault(verification, name) ?? "").")
      }
      for reason in [134, 198, 243, 244, 258, 267, 394, 1] + (1000...1255) {
        for hasCertificate in [false, true] {
          let error = OpenSSLFault(reason: reason).error(
            verification: 0, name: name, hasCertificate: hasCertificate)
          texts.append("\(error)")
        }
      }
      for text in texts {
        let sentences = text.replacing(". ", with: "\n").split(separator: "\n")
        XCTAssertGreaterThan(sentences.count, 1, text)
        XCTAssertTrue(text.hasSuffix(".") && !text.hasSuffix(".."), text)
        XCTAssertLessThan(text.count, 400, text)
      }
    }
  }
#endif
