/** Delays a slow computation, such as a language's formats, to its first use, as not every start needs it. */
export function lazyValue<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
