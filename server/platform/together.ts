/** Callers while it is under way get its result; `underWay` is its end, however it ends. */
export function together<T>(work: () => Promise<T>) {
  let underWay: Promise<T> | undefined
  const ask = () => {
    underWay ??= work().finally(() => {
      underWay = undefined
    })
    return underWay
  }
  return Object.assign(ask, {
    underWay: () =>
      underWay?.then(
        () => {},
        () => {},
      ),
  })
}
