import { type Database, type Transaction, transaction } from '../server/platform/database/pool.ts'
import type { TurnedClock } from './clock.ts'

type Happening = {
  at: Date
  work: ((tx: Transaction) => Promise<unknown>) | null
  alone: (() => Promise<unknown>) | null
}

export type Course = ReturnType<typeof createCourse>

/** So many happenings share a commit at most. */
const TOGETHER = 60

/**
 * What happens, in the order of its moments, each under a clock turned to its own. A happening may plan later ones.
 * `onDay` hears how far it has come.
 * Those of a day share transactions, as only the demo knows beforehand what comes; one that asks a provider stands alone.
 */
export function createCourse(db: Database, clock: TurnedClock, onDay: (at: Date) => void = () => undefined) {
  const coming: Happening[] = []

  function plan(at: Date, what: Pick<Happening, 'work' | 'alone'>) {
    const now = clock.now()
    const moment = at < now ? now : at
    // behind everything that is planned for the same moment
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
    /** Plans what happens in a transaction; a moment that has passed means now. */
    at: (moment: Date, work: NonNullable<Happening['work']>) => plan(moment, { work, alone: null }),
    /** Plans what opens its own transactions. */
    alone: (moment: Date, alone: NonNullable<Happening['alone']>) => plan(moment, { work: null, alone }),
    /** Lets everything planned before `until` happen. */
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
