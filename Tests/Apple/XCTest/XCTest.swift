@_exported import StandInFoundation

// XCTest for Linux also exports the C library of Linux. To hide the C library, this module exports
// only the following names of XCTest. https://developer.apple.com/documentation/xctest
@_exported import class XCTest.XCTestCase
@_exported import class XCTest.XCTestExpectation
@_exported import struct XCTest.XCTSkip
@_exported import func XCTest.XCTAssert
@_exported import func XCTest.XCTAssertEqual
@_exported import func XCTest.XCTAssertNotEqual
@_exported import func XCTest.XCTAssertTrue
@_exported import func XCTest.XCTAssertFalse
@_exported import func XCTest.XCTAssertNil
@_exported import func XCTest.XCTAssertNotNil
@_exported import func XCTest.XCTAssertGreaterThan
@_exported import func XCTest.XCTAssertGreaterThanOrEqual
@_exported import func XCTest.XCTAssertLessThan
@_exported import func XCTest.XCTAssertLessThanOrEqual
@_exported import func XCTest.XCTAssertIdentical
@_exported import func XCTest.XCTAssertNotIdentical
@_exported import func XCTest.XCTAssertThrowsError
@_exported import func XCTest.XCTAssertNoThrow
@_exported import func XCTest.XCTUnwrap
@_exported import func XCTest.XCTSkipIf
@_exported import func XCTest.XCTSkipUnless
@_exported import func XCTest.XCTFail
