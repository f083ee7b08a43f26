import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** How long a start may take on a machine that has much else to do. */
const PATIENCE_MS = 180_000

/** The real product as a process of its own. */
export type ProductProcess = {
  child: ChildProcess
  /** What it printed on standard output and standard error so far. */
  said: { out: string; err: string }
  /** Where it listens, once it is ready. Fails when it ends before. */
  ready(): Promise<string>
  /** Sends a signal, where one is given, and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Runs `node server/start.js` on any free port, with these variables and none of the surroundings'. */
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
  const said = { out: '', err: '' }
  child.stdout.on('data', (piece) => {
    said.out += piece
  })
  child.stderr.on('data', (piece) => {
    said.err += piece
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return {
    child,
    said,
    async ready() {
      for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(10)) {
        const address = /listens on (\S+)/.exec(said.out)?.[1]
        if (address) return address
        if (child.exitCode !== null || child.signalCode !== null) break
      }
      throw new Error(`the product did not become ready: ${said.out}${said.err}`)
    },
    end(signal) {
      if (signal) child.kill(signal)
      return ended
    },
  }
}
