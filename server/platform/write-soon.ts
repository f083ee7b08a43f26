import { doneForMany } from './done-for.ts'

/** Writes what gathers: a moment after it was asked for, one write after the other, and nobody waits for it. */
export function writeSoon(write: () => Promise<void>, afterMs: number) {
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        writing = writing.then(() => doneForMany(write))
      }, afterMs).unref()
    },
    /** Writes what has gathered. */
    async close() {
      clearTimeout(timer)
      await writing
      await write()
    },
  }
}
