import { useRef, useState } from 'react'
import { CallError } from '../api.ts'
import { whileRunning } from '../running.ts'

/** What became of each: `refused` with the server's reason. Those in neither were not tried. */
export type Outcome<Row> = { done: Row[]; refused: { row: Row; error: CallError }[] }

/**
 * Does the same with one thing after another and tells how far it has come. What is refused does not stop the rest;
 * `cancel` does, and so does a server that cannot be reached.
 */
export function useEach() {
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null)
  const canceled = useRef(false)

  const run = <Row>(rows: readonly Row[], work: (row: Row) => Promise<unknown>) =>
    whileRunning(() => runAll(rows, work))

  async function runAll<Row>(rows: readonly Row[], work: (row: Row) => Promise<unknown>): Promise<Outcome<Row>> {
    const outcome: Outcome<Row> = { done: [], refused: [] }
    canceled.current = false
    setProgress({ done: 0, total: rows.length })
    try {
      for (const [before, row] of rows.entries()) {
        if (canceled.current) break
        try {
          await work(row)
          outcome.done.push(row)
        } catch (error) {
          if (!(error instanceof CallError)) throw error
          outcome.refused.push({ row, error })
          if (error.status === 0) break
        }
        setProgress({ done: before + 1, total: rows.length })
      }
    } finally {
      setProgress(null)
    }
    return outcome
  }

  const cancel = () => {
    canceled.current = true
  }
  return { progress, run, cancel }
}
