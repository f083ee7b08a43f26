import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const LOOK_EVERY_MS = 10_000
/** The part of the time that an idle process is at work at most. */
const IDLE = 0.05

/**
 * Gives back what loading and compiling took, once nobody has asked for anything for a while: a quarter of what the
 * process keeps, which V8 leaves alone for as long as hardly anything is allocated. It takes a tenth of a second, once.
 */
export function giveBackOnceIdle(lookEveryMs = LOOK_EVERY_MS, collect: () => void = collectWhole): void {
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

/** V8 shows its collector only to contexts that are made while it is told to. */
function collectWhole() {
  setFlagsFromString('--expose-gc')
  const collect: NodeJS.GCFunction = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  // the flavor that also gives the emptied pages back
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
