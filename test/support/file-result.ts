export type Counts = { passed: number; failed: number; skipped: number }

/** A line of a stage's summary: the results of a file's tests, or of one of them, as each reporter writes it. */
export type FileResult = Counts & {
  /** From the repository's root. */
  file: string
  ms: number
  /** Milliseconds of computing in the lane's own process, without PostgreSQL and others it calls. */
  cpu?: number
  /** Name and error of each failed test. */
  failures?: string[]
}
