import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Returns the longest time in milliseconds for which `work` kept this thread from everything else, counted in its own
 * CPU time: on a loaded machine it is as long as on a quiet one.
 */
export async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = process.threadCpuUsage()
  const look = () => {
    const { user, system } = process.threadCpuUsage()
    longest = Math.max(longest, (user + system - before.user - before.system) / 1000)
    before = { user, system }
  }
  const timer = setInterval(look, 1)
  try {
    await work()
    await sleep(2)
    look()
  } finally {
    clearInterval(timer)
  }
  return longest
}

/** Longest time in milliseconds for which one call may hold the server (security.md, section 10). */
export const LONGEST_HOLD_MS = 250
