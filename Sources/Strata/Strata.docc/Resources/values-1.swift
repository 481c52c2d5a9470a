import Foundation
import Strata

struct Article: Codable, Sendable {
  var title: String
}
