import { useRef, useState } from 'react'
import { CallError } from '../api.ts'
import { whileRunning } from './running-work.ts'

/** The result of each item: `refused` with the server's reason. Items in neither were not tried. */
export type Outcome<Row> = { done: Row[]; refused: { row: Row; error: CallError }[] }

/** Not done, without an error. */
class Canceled extends Error {}

/** Returns whether the minute's calls are used up; limits of single actions, such as reminding, count as refusals. */
const isSpent = (error: unknown): error is CallError => error instanceof CallError && error.reason === 'too_many_calls'

/** Calls of the 300 that the server accepts in a minute: the rest is for the other parts of the screen. */
const CALLS = 200
const MINUTE = 60_000

type Progress = { done: number; total: number }

/**
 * Processes items one after another and reports the progress. A refusal does not stop the rest; `cancel` and an
 * unreachable server do. If the minute's calls are used up it waits, as long as the server requires if that refused
 * one: `work` is then repeated.
 */
export function useEach() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const canceled = useRef(false)
  const wake = useRef(() => {})
  const minute = useRef({ began: 0, calls: 0 })

  const run = <Row>(rows: readonly Row[], work: (row: Row) => Promise<unknown>) =>
    whileRunning(() => runAll(rows, work))

  async function runAll<Row>(rows: readonly Row[], work: (row: Row) => Promise<unknown>): Promise<Outcome<Row>> {
    const outcome: Outcome<Row> = { done: [], refused: [] }
    canceled.current = false
    const total = rows.length
    let done = 0
    setProgress({ done, total })
    try {
      for (const row of rows) {
        if (canceled.current) break
        try {
          await patiently(() => work(row))
          outcome.done.push(row)
        } catch (error) {
          if (error instanceof Canceled) break
          if (!(error instanceof CallError)) throw error
          outcome.refused.push({ row, error })
          if (error.status === 0) break
        }
        done += 1
        setProgress({ done, total })
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
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, seconds * 1000)
      wake.current = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const cancel = () => {
    canceled.current = true
    wake.current()
  }
  return { progress, run, cancel }
}
