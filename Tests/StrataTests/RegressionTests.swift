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
      "StrataTests/Levels/Memory/MemoryStaleSnapshotTests.swift"
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
      "StrataTests/Core/OperationOrderTests.swift"
        + " testAWriteCancelledWhileItIsGivenToItsLevelLandsBeforeALaterOne"
    ),
    (
      "a dispatched write that landed after a later one",
      "its cancellation let the next write pass while its own ran on the queue",
      "StrataTests/Verbs/Load/DispatchedTests.swift"
        + " testAWriteCancelledWhileItIsGivenToTheLevelLandsBeforeALaterOne"
    ),
    (
      "a call with more keys than its limit",
      "keys that came while a batch was on its way to the loader were added to it",
      "StrataTests/Verbs/Many/BatchingTests.swift testNoCallHasMoreKeysThanTheLimitWithManyThreads"
    ),
    (
      "fewer values than keys",
      "getAll looked twice at an answer that came in between, and asked for no more keys",
      "StrataTests/Verbs/Many/GetAllTests.swift testAnAnswerThatArrivesDuringTheLoopOmitsNoKey"
    ),
    (
      "a pause that trapped",
      "a backoff of a huge factor left the range of a Duration",
      "StrataTests/Verbs/Load/BackoffTests.swift testNoArgumentTraps"
    ),
    (
      "every session in use",
      "all threads of the system's pool waited for sessions, and none was left to give one back",
      "StrataTests/Levels/Network/CurlTransportTests.swift"
        + " testParallelRequestsStayWithinTheBound"
    ),
    (
      "a count of evictions that began anew",
      "a ghost's age was wrong after two thousand million evictions, when its stamp had begun again",
      "StrataTests/Levels/Memory/GhostsTests.swift testTheCountContinuesWhereTheStampsWrapAround"
    ),
    (
      "a property list that overflowed the stack",
      "comments hid its depth from the check that comes before the system's reader",
      "StrataTests/Codecs/PropertyListDepthTests.swift"
        + " testHiddenDepthAndExpensiveListsAreRejected"
    ),
    (
      "a number that did not come back",
      "a format with fewer digits than the number wrote another number",
      "StrataTests/Codecs/FormattersTests.swift testANumberThatDoesNotRoundTripIsNotEncoded"
    ),
    (
      "a plan in JSON of a version that never was",
      "versions were bounded from above only",
      "StrataExplainTests/Plan/PlanReaderTests.swift testJSONThatIsNotAPlanIsRejectedWithAReason"
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
      "a process that wrote to a segment that no process reads",
      "between listing and opening, others had gone on, and a slow process created an old number again",
      "StrataTests/Levels/Disk/Log/SegmentLogLockTests.swift"
        + " testAFirstSegmentWaitsForTheLock"
    ),
    (
      "a segment that others had created again",
      "it was open, removed and created again by two slow processes, and later segments stayed unread",
      "StrataTests/Levels/Disk/Log/SegmentLogLockTests.swift"
        + " testAStoppedHolderBlocksOnlyNewSegments"
    ),
    (
      "a segment that was not read to its end",
      "a listing failed after it was opened, and others sealed it and went on",
      "StrataTests/Levels/Disk/Log/SegmentLogConflictTests.swift"
        + " testASegmentThatIsSealedWhileItIsOpenedIsReadToItsEnd"
    ),
    (
      "a segment that was read by half",
      "too many files were open, and what had been read of it was taken for all",
      "StrataTests/Levels/Disk/Log/SegmentLogErrorTests.swift"
        + " testASegmentThatIsHalfReadIsReadAgain"
    ),
    (
      "a set that nobody saw",
      "it was appended behind a seal of its own, written while room was made",
      "StrataTests/Levels/Disk/Log/SegmentLogTrimTests.swift"
        + " testNothingIsWrittenBehindOnesOwnSeal"
    ),
    (
      "others left in a removed file",
      "the newest segment could not be read by one process, which removed it without telling",
      "StrataTests/Levels/Disk/Log/SegmentLogLockTests.swift"
        + " testAnUnreadableSegmentIsGivenUpByAll"
    ),
    (
      "a clear that removed the segment it was to keep",
      "in a directory that was created again, the numbers had begun lower",
      "StrataTests/Levels/Disk/Log/SegmentLogClearTests.swift"
        + " testAClearLeavesTheSegmentOfANewLog"
    ),
    (
      "more on disk than it may hold",
      "room was looked for before the next segment was begun for what is kept",
      "StrataTests/Levels/Disk/Log/SegmentLogTrimTests.swift"
        + " testTheLimitHoldsWhileLongValuesAreKept"
    ),
    (
      "more evictions than sets",
      "what was written again in the place of its segment counted as gone",
      "StrataTests/Levels/Disk/Log/SegmentLogTrimTests.swift"
        + " testOnlyWhatWentIsCountedAsEvicted"
    ),
    (
      "a lower capacity that freed nothing",
      "on a full volume it began with a seal, for which there was no room",
      "StrataTests/Levels/Disk/Log/SegmentLogTrimTests.swift"
        + " testALowerCapacityMakesRoomOnAFullVolume"
    ),
    (
      "a removed value that a flipped bit brought back",
      "a scan skipped any number of bytes that weren't a record",
      "StrataTests/Levels/Disk/Log/SegmentLogHostileTests.swift"
        + " testAFlippedBitBringsNothingBack"
    ),
    (
      "two logs in one directory",
      "a process abandoned a segment and created the next one without a lock",
      "StrataTests/Levels/Disk/Log/SegmentLogLockTests.swift"
        + " testAFailedReadBeginsNoSecondLog"
    ),
    (
      "a clear that other processes missed",
      "its zeros fell within the length that a torn record claimed",
      "StrataTests/Levels/Disk/Log/SegmentLogHostileTests.swift"
        + " testAClearBehindATornRecordIsSeenAtOnce"
    ),
    (
      "a record found inside a value",
      "after a cut write, the scan continued inside the value",
      "StrataTests/Levels/Disk/Log/SegmentLogHostileTests.swift"
        + " testARecordInsideAValueIsNoRecord"
    ),
    (
      "a cache that one file name disabled",
      "an empty file with the last number voided all segments and left no number",
      "StrataTests/Levels/Disk/Log/SegmentLogStrangerTests.swift"
        + " testTheLastNameDisablesNothing"
    ),
    (
      "a value that was seen and then not",
      "a get overlooked the writes in progress of its process",
      "StrataTests/Levels/Disk/Log/SegmentLogHostileTests.swift"
        + " testAValueThatWasSeenStaysSeen"
    ),
    (
      "a read-only process with stale values",
      "it assumed that no process can write if it can't",
      "StrataTests/Levels/Disk/Log/SegmentLogHostileTests.swift"
        + " testAReadOnlyProcessSeesEveryWrite"
    ),
    (
      "a miss between two hits",
      "a get looked up an index that another thread was loading",
      "StrataTests/Levels/Disk/Log/SegmentLogHostileTests.swift"
        + " testAValueIsFoundAtEveryCallOfAnotherProcess"
    ),
    (
      "a get that read 400 MB",
      "it read everything that others had written, in one piece",
      "StrataTests/Levels/Disk/Log/SegmentLogHostileTests.swift"
        + " testAGetReadsASmallPartOfWhatOthersWrote"
    ),
    (
      "a new segment that was removed under its writers",
      "its creator failed after the segment's start was written, and others had moved there",
      "StrataTests/Levels/Disk/Log/SegmentLogInterleavingTests.swift"
        + " testASegmentWithAStartStaysThoughItsCreatorFailed"
    ),
    (
      "a crash in an eviction",
      "a get whose calls failed loaded the log again, so the segment's slot was empty",
      "StrataTests/Levels/Disk/Log/SegmentLogInterleavingTests.swift"
        + " testALogThatIsLoadedAgainLosesOnlyTheEvictedSegment"
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
