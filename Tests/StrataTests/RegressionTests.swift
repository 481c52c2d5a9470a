import Foundation
import XCTest

/// The faults that the tests once missed. Each fault is listed with its cause and with the test
/// that now finds it.
final class RegressionTests: XCTestCase {
  private let faults: [(name: String, reason: String, test: String)] = [
    (
      "a value of the memory level that was read while it was replaced",
      "with a custom ==, a set wrote into an entry that another thread was removing",
      "StrataTests/Levels/Memory/MemoryOverwriteRaceTests.swift"
        + " testEveryValueIsReleasedOnce"
    ),
    (
      "a set that a concurrent clear lost",
      "the snapshot of an entry was still used after the clear",
      "StrataTests/Levels/Memory/MemoryStaleSnapshotTests.swift"
        + " testASetThatMeetsAClearStores"
    ),
    (
      "two loads of one key",
      "gets on two threads didn't notice each other, and both called the origin",
      "StrataTests/Races/PoolRaceTests.swift testGetsThatMeetOnSeveralThreadsShareOneLoad"
    ),
    (
      "a write that took effect after a later write",
      "the write was cancelled while it began, and was lost from the queue of its key",
      "StrataTests/Core/Order/KeyedQueueWorkTests.swift"
        + " testAWriteCancelledWhileItBeginsRunsBeforeALaterOne"
    ),
    (
      "a dispatched write that took effect after a later write",
      "after the write was cancelled, the next write began while the first still ran",
      "StrataTests/Verbs/Load/DispatchedTests.swift"
        + " testAWriteCancelledWhileItBeginsRunsBeforeALaterOne"
    ),
    (
      "a call with more keys than its limit",
      "keys were added to a batch that had already been passed to the loader",
      "StrataTests/Verbs/Many/BulkLoadingTests.swift testNoCallHasMoreKeysThanTheLimitWithManyThreads"
    ),
    (
      "fewer values than keys",
      "getAll checked an answer twice, and omitted keys if the answer arrived in between",
      "StrataTests/Verbs/Many/OutcomesTests.swift testAnAnswerThatArrivesDuringTheLoopOmitsNoKey"
    ),
    (
      "a delay that trapped",
      "a backoff with a huge factor exceeded the range of Duration",
      "StrataTests/Verbs/Load/BackoffTests.swift testNoArgumentTraps"
    ),
    (
      "every session in use",
      "all threads of the pool waited for sessions, so no thread could return a session",
      "StrataTests/Network/CurlTransportTests.swift"
        + " testParallelRequestsStayWithinTheBound"
    ),
    (
      "a count of evictions that restarted",
      "a ghost's age was wrong after two billion evictions, when the stamp wrapped around",
      "StrataTests/Levels/Memory/GhostsTests.swift testTheCountContinuesWhenTheStampsWrapAround"
    ),
    (
      "a property list that overflowed the stack",
      "comments hid the list's depth from the check that runs before the system's parser",
      "StrataTests/Codecs/PropertyListDepthTests.swift"
        + " testHiddenDepthAndExpensiveListsAreRejected"
    ),
    (
      "a number that didn't round-trip",
      "a format with too few digits wrote another number",
      "StrataTests/Codecs/FormattersTests.swift testANumberThatDoesNotRoundTripIsNotEncoded"
    ),
    (
      "a plan in JSON of a version that never existed",
      "versions had only an upper bound",
      "StrataExplainTests/Plan/PlanReaderTests.swift testJSONThatIsNotAPlanIsRejectedWithAReason"
    ),
    (
      "a law that trapped on a capacity above sixty",
      "the trial had sixty-four values, but needed more",
      "StrataLawsTests/LevelBoundsTests.swift testACapacityBeyondSixtyIsTried"
    ),
    (
      "a law of capacity that could not fail",
      "some of the hundred operations were gets and warnings, so they never stored a hundred values",
      "StrataLawsTests/LevelBoundsTests.swift testALevelThatHoldsMoreThanAHundredIsCaught"
    ),
    (
      "an accepted history that no order explains",
      "every history was accepted in which no get had found a value",
      "StrataLawsTests/HistoryTests.swift"
        + " testAHistoryWithoutAnOrderIsShownEvenIfNoGetFoundAValue"
    ),
    (
      "a process that wrote to a segment that no process reads",
      "a slow process created a segment with an old number, but other processes had moved on",
      "StrataTests/Disk/Log/SegmentLogLockTests.swift"
        + " testAFirstSegmentWaitsForTheLock"
    ),
    (
      "a segment that other processes had created again",
      "two slow processes removed and recreated an open segment, and later segments stayed unread",
      "StrataTests/Disk/Log/SegmentLogLockTests.swift"
        + " testAStoppedHolderBlocksOnlyNewSegments"
    ),
    (
      "a segment that was not read to its end",
      "a listing failed after the open, and other processes sealed the segment and continued",
      "StrataTests/Disk/Log/SegmentLogConflictTests.swift"
        + " testASegmentThatIsSealedWhileItIsOpenedIsReadToItsEnd"
    ),
    (
      "a segment that was only half read",
      "too many files were open, and the part that was read counted as the whole",
      "StrataTests/Disk/Log/SegmentLogErrorTests.swift"
        + " testASegmentThatIsHalfReadIsReadAgain"
    ),
    (
      "a set that no get saw",
      "the record was appended after the log's own seal, which an eviction had written",
      "StrataTests/Disk/Log/SegmentLogTrimTests.swift"
        + " testNoRecordIsAppendedAfterTheLogsOwnSeal"
    ),
    (
      "processes that kept using a removed file",
      "one process couldn't read the newest segment, and removed it without notice",
      "StrataTests/Disk/Log/SegmentLogLockTests.swift"
        + " testAllProcessesGiveUpAnUnreadableSegment"
    ),
    (
      "a clear that removed a segment of a new log",
      "in a recreated directory, the numbers of segments began lower",
      "StrataTests/Disk/Log/SegmentLogClearTests.swift"
        + " testAClearLeavesTheSegmentOfANewLog"
    ),
    (
      "more bytes on disk than the capacity",
      "the space was checked before the copies began another segment",
      "StrataTests/Disk/Log/SegmentLogTrimTests.swift"
        + " testTheLimitHoldsWhileLongValuesAreCopied"
    ),
    (
      "more evictions than sets",
      "copied values counted as evicted",
      "StrataTests/Disk/Log/SegmentLogTrimTests.swift"
        + " testCopiedValuesAreNotCountedAsEvicted"
    ),
    (
      "a lower capacity that freed nothing",
      "on a full volume, the eviction began with a seal, for which there was no space",
      "StrataTests/Disk/Log/SegmentLogTrimTests.swift"
        + " testALowerCapacityMakesRoomOnAFullVolume"
    ),
    (
      "a removed value that a flipped bit brought back",
      "a scan skipped any number of bytes that weren't a record",
      "StrataTests/Disk/Log/SegmentLogHostileTests.swift"
        + " testAFlippedBitRestoresNoOldValue"
    ),
    (
      "two logs in one directory",
      "a process abandoned a segment and created the next one without a lock",
      "StrataTests/Disk/Log/SegmentLogLockTests.swift"
        + " testAFailedReadBeginsNoSecondLog"
    ),
    (
      "a clear that other processes missed",
      "the clear's zeros were within the length that a torn record's header stated",
      "StrataTests/Disk/Log/SegmentLogHostileTests.swift"
        + " testAClearAfterATornRecordIsSeenImmediately"
    ),
    (
      "a record found inside a value",
      "after a cut write, the scan continued inside the value",
      "StrataTests/Disk/Log/SegmentLogHostileTests.swift"
        + " testBytesOfARecordInsideAValueAreNotARecord"
    ),
    (
      "a cache that one file name disabled",
      "an empty file with the last number voided all segments, and no number remained",
      "StrataTests/Disk/Log/SegmentLogStrangerTests.swift"
        + " testTheLastNameDisablesNothing"
    ),
    (
      "a value that was seen and then missed",
      "a get overlooked writes in flight in its process",
      "StrataTests/Disk/Log/SegmentLogHostileTests.swift"
        + " testAValueThatWasSeenStaysSeen"
    ),
    (
      "a read-only process with stale values",
      "the process assumed that no other process could write either",
      "StrataTests/Disk/Log/SegmentLogHostileTests.swift"
        + " testAReadOnlyProcessSeesEveryWrite"
    ),
    (
      "a miss between two hits",
      "a get searched an index that another thread was loading",
      "StrataTests/Disk/Log/SegmentLogHostileTests.swift"
        + " testAValueIsFoundAtEveryCallOfAnotherProcess"
    ),
    (
      "a get that read 400 MB",
      "the get read all records of other processes, in one piece",
      "StrataTests/Disk/Log/SegmentLogHostileTests.swift"
        + " testAGetReadsASmallPartOfTheWritesOfOtherProcesses"
    ),
    (
      "a new segment that was removed while it was in use",
      "the creator failed after writing the segment's start, but others already used the segment",
      "StrataTests/Disk/Log/SegmentLogInterleavingTests.swift"
        + " testAStartedSegmentStaysEvenIfItsCreatorFailed"
    ),
    (
      "a crash in an eviction",
      "a get whose calls failed loaded the log again, so the segment's slot was empty",
      "StrataTests/Disk/Log/SegmentLogInterleavingTests.swift"
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
