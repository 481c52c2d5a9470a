// says: type 'Picture' does not conform to the 'Sendable' protocol
import Foundation
import Strata

final class Picture { var width = 0 }

let pictures: Cache<URL, Picture> = .memory()
