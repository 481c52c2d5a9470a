// A module that declares an operator with the same name as one of Strata's operators.

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
