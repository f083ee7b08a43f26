import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const script = fileURLToPath(new URL('wrk.lua', import.meta.url))

/** `p99` in ms. At the end of the time up to one request per connection may have arrived uncounted. */
export type Visited = { answered: number; perSecond: number; p99: number }

/** Whether wrk is installed, a load generator in C that leaves more of the machine to the server than one in Node. */
export const hasWrk = (): Promise<boolean> =>
  // wrk exits with 1 after it has printed its version
  run('wrk', ['-v']).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )

/** Visits by wrk, in whole seconds; each `request` has another `{visitor}`. Fails if one is refused or not answered. */
export function visitsByWrk(request: string) {
  const [before, after] = request.split('{visitor}') as [string, string]
  let first = 0
  return async (port: number, connections: number, ms: number): Promise<Visited> => {
    const duration = `${Math.max(1, Math.round(ms / 1000))}s`
    const { stdout } = await run('wrk', [
      ...['-t', '1', '-c', `${connections}`, '-d', duration, '-s', script, `http://127.0.0.1:${port}/`],
      ...['--', before, after, `${first}`],
    ])
    const { answered, failed, seconds, p99 } = JSON.parse(stdout.trim().split('\n').at(-1)!)
    if (failed > 0) throw new Error(`${failed} of ${answered} visits failed: ${stdout}`)
    first += answered + connections
    return { answered, perSecond: answered / seconds, p99 }
  }
}
