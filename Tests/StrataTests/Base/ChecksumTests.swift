import XCTest

@testable import StrataCore

final class ChecksumTests: XCTestCase {
  private func checksum(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0) -> UInt64 {
    Array(bytes).withUnsafeBytes { Checksum.of($0, seed: seed) }
  }

  private func bytes(_ count: Int) -> [UInt8] {
    var generator: UInt64 = 2_654_435_761
    return (0..<count).map { _ in
      defer { generator &*= 11_400_714_785_074_694_797 }
      return UInt8(generator >> 56)
    }
  }

  /// Compares each checksum with the result of an independent implementation, for lengths around
  /// each boundary of the algorithm.
  func testVectors() {
    let vectors: [(length: Int, plain: UInt64, seeded: UInt64)] = [
      (0, 0x0338_dc4b_e2ce_cdae, 0x373d_1f7f_a324_9962),
      (1, 0x4f23_c791_b16e_ba02, 0xc1ff_d915_381d_706a),
      (2, 0xe1c6_9f72_8398_08ca, 0x917a_ab26_79f4_7fd2),
      (3, 0xf6a7_7b49_f783_8183, 0xeb93_134d_8d03_4518),
      (4, 0xc4a7_f233_5c53_a265, 0x1dbf_dc60_f4e9_eb3b),
      (7, 0x5f5a_3c06_53e8_d0e7, 0x75dc_3d83_9ee6_34ae),
      (8, 0xb5bc_28d7_286b_feef, 0x44a9_a31b_5bb6_9f3f),
      (14, 0xfefd_e10c_2b20_ccab, 0xa901_cf50_fdbc_cd20),
      (16, 0x5ab7_ec36_1839_9f30, 0x1401_cf01_e925_48b2),
      (17, 0xc207_dc4a_e849_9155, 0x2022_e2b4_d8e9_fab4),
      (32, 0x5d39_1a63_5822_0559, 0xbabd_96e5_bcf4_1db3),
      (33, 0xdccd_e759_6237_a758, 0x4b3d_229c_3eca_df8a),
      (48, 0xc048_9ac3_1956_997d, 0x1c67_7d84_5248_d03b),
      (49, 0x2ad3_5958_d0fe_1c7a, 0x4435_e1d6_5c9f_e286),
      (64, 0xc35b_066a_1915_5f7a, 0x09cb_0731_0a38_8e73),
      (65, 0x535a_6eb7_73a1_d5fe, 0x6be7_e1f1_c9ee_7e1e),
      (80, 0xcee8_9f16_7eab_f398, 0xb380_4b16_faed_5a90),
      (81, 0xca9c_4e85_a4e4_9620, 0x6fd4_d34c_7f72_04d7),
      (96, 0x62c9_da78_b800_ba04, 0xf54e_ff07_994d_933f),
      (97, 0x2889_e08c_d00b_ea6f, 0x31be_c710_7d92_ae45),
      (160, 0x19f4_5e43_3981_6057, 0x4dd6_90ca_4b8a_39cd),
      (161, 0x96d1_5c96_0014_dd14, 0x5104_6b1e_4567_e36a),
      (222, 0xece5_3b57_c510_ec03, 0xd487_632b_5368_c8dc),
      (1000, 0xd4e6_9201_a43d_76dd, 0x40fa_f50b_8db0_f81d),
    ]
    for (length, plain, seeded) in vectors {
      XCTAssertEqual(checksum(bytes(length)), plain, "\(length) bytes")
      XCTAssertEqual(checksum(bytes(length), seed: 2_654_435_761), seeded, "\(length) bytes")
    }
  }

  func testEachBitOfTheBytesAndOfTheSeedCounts() {
    for length in [1, 3, 7, 16, 17, 56, 80, 81, 161] {
      var bytes = bytes(length)
      let sum = checksum(bytes)
      for bit in 0..<8 * length {
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        XCTAssertNotEqual(
          checksum(bytes), sum, "Bit \(bit) of \(length) bytes should change the sum.")
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      }
      for bit in 0..<64 { XCTAssertNotEqual(checksum(bytes, seed: 1 << UInt64(bit)), sum) }
    }
  }

  func testTheCountOfZerosCounts() {
    let sums = (0..<300).map { checksum(Array(repeating: 0, count: $0)) }
    XCTAssertEqual(Set(sums).count, sums.count)
  }

  func testTheAddressDoesNotMatter() {
    let padded = [9, 9, 9] + bytes(200)
    padded.withUnsafeBytes { padded in
      let part = UnsafeRawBufferPointer(rebasing: padded[3...])
      XCTAssertEqual(Checksum.of(part), checksum(bytes(200)))
    }
  }
}
