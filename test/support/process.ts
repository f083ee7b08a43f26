import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Milliseconds for a start on a busy machine. */
const PATIENCE_MS = 180_000

/** The real product in its own process. */
export type ProductProcess = {
  child: ChildProcess
  /** Its standard output and standard error so far. */
  said: { out: string; err: string }
  /** Returns its address once it is ready. Fails if it ends before. */
  ready(): Promise<string>
  /** Sends a signal, if given, and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Runs `node server/start.js` on any free port, with these variables and none of the environment's. */
export function runProduct(variables: Record<string, string>, cwd = root): ProductProcess {
  const child = spawn(process.execPath, ['server/start.js'], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      LOG_LEVEL: 'warn',
      FX_RATES_URL: 'http://127.0.0.1:9/no-rates.xml',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  child.stdout.on('data', (piece) => {
    output.out += piece
  })
  child.stderr.on('data', (piece) => {
    output.err += piece
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return {
    child,
    said: output,
    async ready() {
      for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(10)) {
        const address = /listens on (\S+)/.exec(output.out)?.[1]
        if (address) return address
        if (child.exitCode !== null || child.signalCode !== null) break
      }
      throw new Error(`the product did not become ready: ${output.out}${output.err}`)
    },
    end(signal) {
      if (signal) child.kill(signal)
      return ended
    },
  }
}
