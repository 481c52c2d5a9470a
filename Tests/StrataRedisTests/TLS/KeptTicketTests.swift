import XCTest

@testable import StrataRedis

final class KeptTicketTests: XCTestCase {
  private final class Ticket: TLSTicket {}

  func testATicketIsOnlyForTheServerThatIssuedIt() {
    let (ticket, a) = (Ticket(), RedisAddress.Endpoint.tcp(host: "a", port: 1))
    for other in [RedisAddress.Endpoint.tcp(host: "b", port: 1), .tcp(host: "a", port: 2)] {
      var kept = KeptTicket()
      XCTAssertNil(kept.ticket(for: a))
      kept.keep(ticket)
      kept.keep(nil)
      XCTAssertTrue(kept.ticket(for: a) === ticket)
      XCTAssertNil(kept.ticket(for: other))
      XCTAssertNil(kept.ticket(for: a), "The client has left this server.")
    }
  }

  func testATicketIsForgottenIfTheHandshakeFails() {
    var kept = KeptTicket()
    _ = kept.ticket(for: .tcp(host: "a", port: 1))
    kept.keep(Ticket())
    kept.forget()
    XCTAssertNil(kept.ticket(for: .tcp(host: "a", port: 1)))
  }
}
