import { type ChildProcess, fork } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Next } from './lane.ts'

/** A file that runs longer left something open or never ends; its lane is killed. */
const LIMIT_MS = 12 * 60_000

type Options = {
  /** Number of processes. */
  lanes: number
  root: string
  env: NodeJS.ProcessEnv
  /** A module that each process loads first. */
  preload?: string
  /** Receives a line of JSON for each test: its file, milliseconds, and counts. */
  summary?: string
  /** Prints failures only. */
  quiet: boolean
}

/**
 * Runs test files in a few processes, each of which takes the next file when it has finished one. A process that dies
 * fails the file it was running, and another takes its place. Resolves to whether all passed.
 */
export function runInLanes(files: string[], { lanes, root, env, preload, summary, quiet }: Options) {
  const waiting = [...files]
  const running = new Set<ChildProcess>()
  let ok = true

  async function run() {
    while (waiting.length > 0) {
      const lane = fork(fileURLToPath(new URL('./lane.ts', import.meta.url)), [], {
        cwd: root,
        // a test lives for seconds: with more room for young objects, less garbage is collected
        execArgv: [
          ...(preload ? [`--import=${preload}`] : []),
          '--max-semi-space-size=32',
          '--test-reporter=./test/support/lane-reporter.ts',
        ],
        env: { ...env, ...(summary && { COUNTS_FILE: summary }), ...(quiet && { QUIET_REPORTER: '1' }) },
      })
      running.add(lane)
      ok = (await feed(lane)) && ok
      running.delete(lane)
    }
  }

  /** Resolves to whether the lane's tests passed, once it has ended. */
  async function feed(lane: ChildProcess) {
    let file: string | undefined
    let limit: NodeJS.Timeout | undefined
    lane.on('message', () => {
      clearTimeout(limit)
      file = waiting.shift()
      lane.send({ file: file ?? null } satisfies Next)
      if (file) limit = setTimeout(() => lane.kill('SIGKILL'), LIMIT_MS)
    })
    const code = await new Promise((resolve) => lane.once('close', resolve))
    clearTimeout(limit)
    if (file === undefined) return code === 0
    process.stdout.write(`✖ ${file} ended its process or ran longer than ${LIMIT_MS / 60_000} minutes\n`)
    if (summary) appendFileSync(summary, `${JSON.stringify({ file, ms: 0, passed: 0, failed: 1, skipped: 0 })}\n`)
    return false
  }

  return {
    done: Promise.all(Array.from({ length: lanes }, run)).then(() => ok),
    stop() {
      waiting.length = 0
      for (const lane of running) lane.kill('SIGTERM')
    },
  }
}
