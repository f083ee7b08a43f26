import type { Clock } from '../server/platform/database/pool.ts'

/** A clock that stops at the time it is turned to, and follows real time once released. */
export type TurnedClock = Clock & { turnTo(at: Date): void; release(): void }

export function turnedClock(at?: Date): TurnedClock {
  let stands = at
  return {
    now: () => new Date(stands ?? Date.now()),
    turnTo(next) {
      stands = next
    },
    release() {
      stands = undefined
    },
  }
}
