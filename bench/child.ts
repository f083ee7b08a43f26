import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A program of this folder as a process of its own: it is told one thing and tells one thing, as often as asked. */
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
    end: () => child.disconnect(),
  }
}

/** The other side, to be called in that program. It ends with whoever started it. */
export function answer<Told, Tells>(work: (told: Told) => Promise<Tells>): void {
  process.on('message', async (told) => {
    const tells = await work(told as Told)
    process.send?.(tells)
  })
  process.on('disconnect', () => process.exit(0))
}
