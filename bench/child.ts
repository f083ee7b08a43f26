import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A program of this folder in its own process: it replies to each message with one message. */
export type Child<Told, Tells> = { ask(told: Told): Promise<Tells>; end(): void }

export function startChild<Told extends object, Tells>(file: string): Child<Told, Tells> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)))
  return {
    ask: (told) =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error(`${file} ended`))
        child.once('exit', ended)
        child.once('message', (tells) => {
          child.off('exit', ended)
          resolve(tells as Tells)
        })
        child.send(told)
      }),
    end() {
      if (child.connected) child.disconnect()
    },
  }
}

/** The child's side: replies to each message with the result of `work`, and exits with its parent. */
export function answerParent<Told, Tells>(work: (told: Told) => Promise<Tells>): void {
  process.on('message', async (told) => {
    const tells = await work(told as Told)
    process.send?.(tells)
  })
  process.on('disconnect', () => process.exit(0))
}
