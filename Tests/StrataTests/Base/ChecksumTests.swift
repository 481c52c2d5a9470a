import XCTest

@testable import Strata

final class ChecksumTests: XCTestCase {
  private func checksum(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0) -> UInt64 {
    Array(bytes).withUnsafeBytes { Checksum.of($0, seed: seed) }
  }

  func testPublishedVectors() {
    XCTAssertEqual(checksum("".utf8), 0xef46_db37_51d8_e999)
    XCTAssertEqual(checksum("a".utf8), 0xd24e_c4f1_a98c_6e5b)
    XCTAssertEqual(checksum("abc".utf8), 0x44bc_2cf5_ad77_0999)
  }

  /// The reference implementation's self-test, over a sequence that it generates.
  func testVectorsOfTheReferenceImplementation() {
    let prime32: UInt64 = 2_654_435_761
    var generator = prime32
    let bytes = (0..<222).map { _ -> UInt8 in
      defer { generator &*= 11_400_714_785_074_694_797 }
      return UInt8(generator >> 56)
    }
    let vectors: [(length: Int, plain: UInt64, seeded: UInt64)] = [
      (0, 0xef46_db37_51d8_e999, 0xac75_fda2_929b_17ef),
      (1, 0xe934_a84a_db05_2768, 0x5014_6076_43a9_b4c3),
      (14, 0x8282_dcc4_994e_35c8, 0xc3bd_6bf6_3deb_6df0),
      (222, 0xb641_ae8c_b691_c174, 0x20cb_8ab7_ae10_c14a),
    ]
    for (length, plain, seeded) in vectors {
      XCTAssertEqual(checksum(bytes.prefix(length)), plain)
      XCTAssertEqual(checksum(bytes.prefix(length), seed: prime32), seeded)
    }
  }
}
