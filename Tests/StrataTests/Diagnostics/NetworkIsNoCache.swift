// says: the network level is a Fetcher, which stores nothing
import Foundation
import Strata

let pages: Cache<URL, Data> = .network()
