import { useRef, useState } from 'react'
import { CallError } from '../api.ts'
import { whileRunning } from '../running.ts'

/** What became of each: `refused` with the server's reason. Those in neither were not tried. */
export type Outcome<Row> = { done: Row[]; refused: { row: Row; error: CallError }[] }

/** It was not done, and nothing is wrong with it. */
class Canceled extends Error {}

/** The minute's calls are used up; other things that may be done so often only, such as reminding, are refused. */
const isSpent = (error: unknown): error is CallError => error instanceof CallError && error.reason === 'too_many_calls'

/** So many calls of the 300 that the server takes in a minute: the rest is for what else is on the screen. */
const CALLS = 200
const MINUTE = 60_000

type Progress = {
  done: number
  total: number
  /** It waits for so many seconds: the minute's calls are used up. */
  pause: number | null
}

/** Makes one more call of a row's work, and again once the server takes it. */
type Patiently = <T>(call: () => Promise<T>) => Promise<T>

/**
 * Does the same with one thing after another and tells how far it has come. What is refused does not stop the rest;
 * `cancel` does, and so does a server that cannot be reached. Where the minute's calls are used up it waits, as long as
 * the server says if that refused one: `work` is then done again. It makes its first call itself and more `patiently`.
 * One that stands for several says so by `sizeOf`.
 */
export function useEach() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const canceled = useRef(false)
  const wake = useRef(() => {})
  const minute = useRef({ began: 0, calls: 0 })

  const run = <Row>(
    rows: readonly Row[],
    work: (row: Row, patiently: Patiently) => Promise<unknown>,
    sizeOf: (row: Row) => number = () => 1,
  ) => whileRunning(() => runAll(rows, work, sizeOf))

  async function runAll<Row>(
    rows: readonly Row[],
    work: (row: Row, patiently: Patiently) => Promise<unknown>,
    sizeOf: (row: Row) => number,
  ): Promise<Outcome<Row>> {
    const outcome: Outcome<Row> = { done: [], refused: [] }
    canceled.current = false
    const total = rows.reduce((sum, row) => sum + sizeOf(row), 0)
    let done = 0
    setProgress({ done, total, pause: null })
    try {
      for (const row of rows) {
        if (canceled.current) break
        try {
          await patiently(() => work(row, patiently))
          outcome.done.push(row)
        } catch (error) {
          if (error instanceof Canceled) break
          if (!(error instanceof CallError)) throw error
          outcome.refused.push({ row, error })
          if (error.status === 0) break
        }
        done += sizeOf(row)
        setProgress({ done, total, pause: null })
      }
    } finally {
      setProgress(null)
    }
    return outcome
  }

  async function patiently<T>(call: () => Promise<T>): Promise<T> {
    await pace()
    if (canceled.current) throw new Canceled()
    try {
      return await call()
    } catch (error) {
      if (!isSpent(error)) throw error
      await pause(error.retryAfter ?? 1)
      return patiently(call)
    }
  }

  async function pace() {
    const now = performance.now()
    const { began, calls } = minute.current
    if (now - began >= MINUTE) minute.current = { began: now, calls: 0 }
    else if (calls >= CALLS) {
      await pause(Math.ceil((began + MINUTE - now) / 1000))
      minute.current = { began: performance.now(), calls: 0 }
    }
    minute.current.calls += 1
  }

  async function pause(seconds: number) {
    setProgress((now) => now && { ...now, pause: seconds })
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000)
      wake.current = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    setProgress((now) => now && { ...now, pause: null })
  }

  const cancel = () => {
    canceled.current = true
    wake.current()
  }
  return { progress, run, cancel }
}
