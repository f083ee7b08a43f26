import type { DatabaseTrouble } from '../database/database-errors.ts'

const MINUTE_MS = 60_000

type Lasting = { beganAt: number; lines: number }
type Write = (level: 'error' | 'info', fields: object, words: string) => void

const WORDS: Record<DatabaseTrouble, Record<'begins' | 'lasts' | 'ends', string>> = {
  away: {
    begins: 'the database cannot be reached: calls are answered 503, and background work waits',
    lasts: 'the database still cannot be reached',
    ends: 'the database could be reached all through the last minute',
  },
  full: {
    begins: 'the disk of the database is full: what has to be written is answered 503, and background work waits',
    lasts: 'the disk of the database is still full',
    ends: 'the disk of the database had room all through the last minute',
  },
}

/**
 * Logs a trouble that affects every call once, then once a minute with the number of lines replaced. Thirty lines a
 * second are useless, and could fill the disk.
 */
export function createLogThrottle(write: Write) {
  const lasting = new Map<DatabaseTrouble, Lasting>()
  return (trouble: DatabaseTrouble, error: string) => {
    const known = lasting.get(trouble)
    if (known) {
      known.lines++
      return
    }
    const words = WORDS[trouble]
    const now: Lasting = { beganAt: Date.now(), lines: 0 }
    lasting.set(trouble, now)
    write('error', { trouble, error }, words.begins)
    const timer = setInterval(() => {
      const seconds = Math.round((Date.now() - now.beganAt) / 1000)
      if (now.lines > 0) {
        write('error', { trouble, seconds, linesLeftOut: now.lines }, words.lasts)
        now.lines = 0
      } else {
        write('info', { trouble }, words.ends)
        clearInterval(timer)
        lasting.delete(trouble)
      }
    }, MINUTE_MS)
    timer.unref()
  }
}
