import Foundation
import XCTest

/// The faults that were found only after they had been built in, each with what went wrong and with
/// the test that would now find it.
final class RegressionTests: XCTestCase {
  private let faults: [(name: String, reason: String, test: String)] = [
    (
      "a value of the memory level read while it is replaced",
      "with keys whose == is the user's, a set wrote into an entry that another thread was removing",
      "StrataTests/Levels/Memory/MemoryOverwriteRaceTests.swift"
        + " testEveryValueIsReleasedOnce"
    ),
    (
      "a set that was lost beside a clear",
      "what had been seen of an entry was still believed after it had been cleared away",
      "StrataTests/Levels/Memory/MemoryStaleSightingTests.swift"
        + " testASetThatMeetsAClearStores"
    ),
    (
      "two loads of one key",
      "gets that met on several threads passed each other's marks and both asked the origin",
      "StrataTests/Races/PoolRaceTests.swift testGetsThatMeetOnSeveralThreadsShareOneLoad"
    ),
    (
      "a write that landed after a later one",
      "it was cancelled while its level was given it, and the order of its key forgot it",
      "StrataTests/Support/KeyOrderTests.swift"
        + " testAWriteCancelledWhileItIsGivenToItsLevelLandsBeforeALaterOne"
    ),
    (
      "a dispatched write that landed after a later one",
      "its cancellation let the next write pass while its own ran on the queue",
      "StrataTests/Verbs/DispatchedTests.swift"
        + " testAWriteCancelledWhileItIsGivenToTheLevelLandsBeforeALaterOne"
    ),
    (
      "a call with more keys than its limit",
      "keys that came while a batch was on its way to the loader were added to it",
      "StrataTests/Verbs/BatchingTests.swift testNoCallHasMoreKeysThanTheLimitHoweverManyThreadsAsk"
    ),
    (
      "fewer values than keys",
      "getAll looked twice at an answer that came in between, and asked for no more keys",
      "StrataTests/Verbs/GetAllTests.swift testAnAnswerThatComesMeanwhileLeavesNoKeyOut"
    ),
    (
      "a pause that trapped",
      "a backoff of a huge factor left the range of a Duration",
      "StrataTests/Verbs/BackoffTests.swift testNoArgumentTraps"
    ),
    (
      "every session in use",
      "all threads of the system's pool waited for sessions, and none was left to give one back",
      "StrataTests/Levels/Network/NetworkControlTests.swift"
        + " testNoMoreThanSixteenWaitAtOnceHoweverManyTransfersThereAre"
    ),
    (
      "a count of evictions that began anew",
      "a ghost's age was wrong after two thousand million evictions, when its stamp had begun again",
      "StrataTests/Levels/Memory/GhostsTests.swift testTheCountGoesOnWhereTheStampsBeginAnew"
    ),
    (
      "a property list that overflowed the stack",
      "comments hid its depth from the check that comes before the system's reader",
      "StrataTests/Transforms/PropertyListDepthTests.swift"
        + " testWhatHidesItsDepthOrKeepsItsReaderBusyIsRefused"
    ),
    (
      "a number that did not come back",
      "a format with fewer digits than the number wrote another number",
      "StrataTests/Transforms/FormattersTests.swift testANumberThatDoesNotComeBackIsNotWritten"
    ),
    (
      "a plan in JSON of a version that never was",
      "versions were bounded from above only",
      "StrataTests/Plan/PlanNodeTests.swift testJSONThatIsNoPlanIsRefusedWithItsReason"
    ),
    (
      "the kit trapped on a capacity beyond sixty",
      "a level was tried with sixty-four values, and more were drawn",
      "StrataLawsTests/LevelBoundsTests.swift testACapacityBeyondSixtyIsTried"
    ),
    (
      "a law of capacity that could not fail",
      "of a hundred stores a few were gets and warnings, so that a hundred values were never reached",
      "StrataLawsTests/LevelBoundsTests.swift testALevelThatHoldsMoreThanAHundredIsCaught"
    ),
    (
      "a history without an order that was let pass",
      "it was taken for lawful where no get had found a value",
      "StrataLawsTests/HistoryTests.swift"
        + " testWhatHasNoOrderForAnotherReasonThanAValueIsShownToo"
    ),
    (
      "a process that wrote where nobody read",
      "between listing and opening, others had gone on, and one who slept made that number again",
      "StrataTests/Levels/Disk/SegmentLogConflictTests.swift"
        + " testTheFileOfASleeperIsNotTakenForTheNewestSegment"
    ),
    (
      "a segment that others had made again",
      "it was held, removed and made anew by two who slept, and what lay behind it went unread",
      "StrataTests/Levels/Disk/SegmentLogSegmentsTests.swift"
        + " testASegmentThatWasMadeAgainIsNotTheOneThatIsHeld"
    ),
    (
      "a segment that was not read to its end",
      "a listing failed after it was opened, and others sealed it and went on",
      "StrataTests/Levels/Disk/SegmentLogSegmentsTests.swift"
        + " testASegmentThatWasNotReadToItsEndIsReadOn"
    ),
    (
      "a segment that was read by half",
      "too many files were open, and what had been read of it was taken for all",
      "StrataTests/Levels/Disk/SegmentLogErrorTests.swift"
        + " testASegmentThatIsHalfReadIsReadAgain"
    ),
    (
      "a set that nobody saw",
      "it was appended behind a seal of its own, written while room was made",
      "StrataTests/Levels/Disk/SegmentLogTrimTests.swift"
        + " testNothingIsWrittenBehindOnesOwnSeal"
    ),
    (
      "others left in a removed file",
      "the newest segment could not be read by one process, which removed it without telling",
      "StrataTests/Levels/Disk/SegmentLogAbandonTests.swift"
        + " testASegmentThatOneCannotReadIsLeftByAll"
    ),
    (
      "a clear that removed the segment it was to keep",
      "in a folder that was made anew the numbers had begun lower",
      "StrataTests/Levels/Disk/SegmentLogAbandonTests.swift"
        + " testAClearLeavesTheSegmentOfANewFolder"
    ),
    (
      "more on disk than it may hold",
      "room was looked for before the next segment was begun for what is kept",
      "StrataTests/Levels/Disk/SegmentLogTrimTests.swift"
        + " testTheLimitHoldsWhileLongValuesAreKept"
    ),
    (
      "more evictions than sets",
      "what was written again in the place of its segment counted as gone",
      "StrataTests/Levels/Disk/SegmentLogTrimTests.swift"
        + " testOnlyWhatWentIsCountedAsEvicted"
    ),
    (
      "a lower capacity that freed nothing",
      "on a full volume it began with a seal, for which there was no room",
      "StrataTests/Levels/Disk/SegmentLogTrimTests.swift"
        + " testALowerCapacityMakesRoomOnAFullVolume"
    ),
  ]

  func testEachFaultThatEscapedHasItsTest() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    for fault in faults {
      let parts = fault.test.split(separator: " ")
      let source = try String(
        contentsOf: tests.appendingPathComponent(String(parts[0])), encoding: .utf8)
      XCTAssertTrue(
        source.contains("func \(parts[1])("), "\(fault.name): \(fault.reason): no \(parts[1])")
    }
  }
}
