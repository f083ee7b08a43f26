/** Returns the code of a screen; rejects if it has not arrived within 120 s. */
export function withinTwoMinutes<M>(code: Promise<M>): Promise<M> {
  const late = new Promise<never>((_, fail) =>
    setTimeout(() => fail(new Error('The screen took too long to load.')), 120_000),
  )
  return Promise.race([code, late])
}
