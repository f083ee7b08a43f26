import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_EVERY_MS = 10_000
/** Highest share of time that an idle process works. */
const IDLE = 0.05

/**
 * Releases memory used for loading and compiling once the process is idle: a quarter of its total, which V8 doesn't
 * release while little is allocated. Takes a tenth of a second, once.
 */
export function collectOnceIdle(lookEveryMs = LOOK_EVERY_MS, collect: () => void = collectWhole): void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization > IDLE) return
    clearInterval(timer)
    collect()
  }, lookEveryMs)
  timer.unref()
}

/** V8 exposes its collector only to contexts created while the flag is set. */
function collectWhole() {
  setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  // this flavor also returns emptied pages to the system
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
