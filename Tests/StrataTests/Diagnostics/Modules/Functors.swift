// A module with an operator of the same name as Strata's.

precedencegroup FunctorPrecedence {
  associativity: left
  higherThan: AdditionPrecedence
}

infix operator <^> : FunctorPrecedence

/// Maps the elements of an array.
public func <^> <Element, NewElement>(
  transform: (Element) -> NewElement, array: [Element]
) -> [NewElement] {
  array.map(transform)
}
