import { type Database, type Transaction, transaction } from '../server/platform/database/pool.ts'
import type { TurnedClock } from './clock.ts'

type Happening = {
  at: Date
  work: ((tx: Transaction) => Promise<unknown>) | null
  alone: (() => Promise<unknown>) | null
}

export type Course = ReturnType<typeof createCourse>

/** Largest number of happenings in one commit. */
const TOGETHER = 60

/**
 * Runs happenings in order, each under a clock turned to its own moment. A happening may plan later ones. `onDay` is
 * called with the progress.
 * Happenings of a day share transactions, which only the demo can do, as it plans ahead; one that calls a provider runs
 * alone.
 */
export function createCourse(db: Database, clock: TurnedClock, onDay: (at: Date) => void = () => undefined) {
  const coming: Happening[] = []

  function plan(at: Date, what: Pick<Happening, 'work' | 'alone'>) {
    const now = clock.now()
    const moment = at < now ? now : at
    // after everything else planned for the same moment
    let from = 0
    for (let to = coming.length; from < to; ) {
      const middle = (from + to) >> 1
      if (coming[middle]!.at > moment) to = middle
      else from = middle + 1
    }
    coming.splice(from, 0, { at: moment, ...what })
  }

  function nextOf(until: Date) {
    const [first] = coming
    return first && first.at < until ? first : undefined
  }

  async function takeTogether(first: Happening, until: Date) {
    const day = first.at.toISOString().slice(0, 10)
    await transaction(db, async (tx) => {
      let next: Happening | undefined = first
      for (let taken = 0; next?.work && taken < TOGETHER && next.at.toISOString().startsWith(day); taken++) {
        coming.shift()
        clock.turnTo(next.at)
        await next.work({ ...tx, now: next.at })
        next = nextOf(until)
      }
    })
  }

  return {
    /** Plans work in a transaction; a past moment means now. */
    at: (moment: Date, work: NonNullable<Happening['work']>) => plan(moment, { work, alone: null }),
    /** Plans work that opens its own transactions. */
    alone: (moment: Date, alone: NonNullable<Happening['alone']>) => plan(moment, { work: null, alone }),
    /** Runs everything planned before `until`. */
    async run(until: Date) {
      for (let next = nextOf(until); next; next = nextOf(until)) {
        onDay(next.at)
        if (next.work) await takeTogether(next, until)
        else {
          coming.shift()
          clock.turnTo(next.at)
          await next.alone!()
        }
      }
      clock.turnTo(until)
    },
  }
}
