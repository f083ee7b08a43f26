/** Makes on first use a value that takes a while, such as the words of a language, and that not every start needs. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
