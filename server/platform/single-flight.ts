/** Shares the result with callers during the work; `underWay` settles at its end. */
export function singleFlight<T>(work: () => Promise<T>) {
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
