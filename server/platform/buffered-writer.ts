import { runWithoutCause } from './work-context.ts'

/** Writes collected items: shortly after the request, one write at a time, in the background. */
export function createBufferedWriter(write: () => Promise<void>, afterMs: number) {
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = undefined
        writing = writing.then(() => runWithoutCause(write))
      }, afterMs).unref()
    },
    /** Writes the items collected so far. */
    async close() {
      clearTimeout(timer)
      await writing
      await write()
    },
  }
}
