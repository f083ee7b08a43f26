import { type ChildProcess, fork } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { FileResult } from './file-result.ts'
import type { Next } from './worker.ts'

/** A file that runs longer left something open or never ends; its lane is killed. */
const LIMIT_MS = 12 * 60_000
/** More than the number of cores, as files often wait: for hashes, for a poll, for something that must not happen. */
const AT_ONCE = Math.max(3, availableParallelism())

type Options = {
  root: string
  env: NodeJS.ProcessEnv
  /** A module that each process loads first. */
  preload?: string | undefined
  /** Receives a `FileResult` for each file, as a line of JSON. */
  summary?: string
  /** Prints failures only. */
  quiet: boolean
  /** Prints nothing of the files. */
  silent?: boolean
  /** Number of processes. */
  lanes?: number
}

/**
 * Runs test files in a few processes, each of which takes the next file when it has finished one. A process that dies
 * fails the file it was running, and another takes its place; one that dies before it asks for a file ends the run, as
 * the next would die too. Resolves to whether all passed.
 */
export function runInWorkers(files: readonly string[], options: Options) {
  const { root, env, preload, summary, quiet, silent = false, lanes = AT_ONCE } = options
  const waiting = [...files]
  const running = new Set<ChildProcess>()
  let ok = true

  async function run() {
    while (waiting.length > 0) {
      const lane = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), [], {
        cwd: root,
        ...(silent && { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] as const }),
        // a test lives for seconds: with more room for young objects, less garbage is collected; threads that help to
        // collect it take more from the other lanes than they save
        execArgv: [
          ...(preload ? [`--import=${preload}`] : []),
          '--max-semi-space-size=32',
          '--no-parallel-scavenge',
          '--test-reporter=./test/support/worker-reporter.ts',
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
    let ready = false
    lane.on('message', () => {
      ready = true
      clearTimeout(limit)
      file = waiting.shift()
      lane.send({ file: file ?? null } satisfies Next)
      if (file) limit = setTimeout(() => lane.kill('SIGKILL'), LIMIT_MS)
    })
    const code = await new Promise((resolve) => lane.once('close', resolve))
    clearTimeout(limit)
    if (!ready) {
      process.stdout.write(`✖ a lane ended before its first file; not run: ${waiting.length}\n`)
      waiting.length = 0
      return false
    }
    if (file === undefined) return code === 0
    const failure = `✖ ${file} ended its process or ran longer than ${LIMIT_MS / 60_000} minutes\n`
    process.stdout.write(failure)
    const result: FileResult = { file, ms: 0, passed: 0, failed: 1, skipped: 0, failures: [failure] }
    if (summary) appendFileSync(summary, `${JSON.stringify(result)}\n`)
    return false
  }

  return {
    done: Promise.all(Array.from({ length: Math.min(lanes, files.length) }, run)).then(() => ok),
    stop() {
      waiting.length = 0
      for (const lane of running) lane.kill('SIGTERM')
    },
  }
}
