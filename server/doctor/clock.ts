import { stat } from 'node:fs/promises'
import { type Check, type Finding, problemsOr, reportFault, reportOk, reportWarning } from './check.ts'
import type { Patient } from './patient.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Differences in milliseconds: above the first, signatures of others are too old and links expire early. */
const FAR_MS = 2 * MINUTE_MS
const NOTABLE_MS = 5000

const ADVICE =
  'Set the clock by NTP (timedatectl set-ntp true), on the machine of the database too, then start the product again.'

/** Checks the clock against these files, the database, its contents, and the server at APP_URL. */
export const clock: Check = {
  name: 'clock',
  async look(patient) {
    const findings = await Promise.all([
      againstFiles(patient),
      againstDatabase(patient),
      againstEvents(patient),
      againstAddress(patient),
    ])
    const fine = reportOk(`It is ${patient.clock.now().toISOString()}, which agrees with everything here.`)
    return problemsOr(fine, ...findings).slice(0, 1)
  },
}

async function againstFiles({ clock }: Patient): Promise<Finding | null> {
  const { mtime } = await stat(new URL('../../package.json', import.meta.url))
  if (mtime.getTime() - clock.now().getTime() < DAY_MS) return null
  return reportFault(`The clock is at ${clock.now().toISOString()}, before this product was installed.`, ADVICE)
}

async function againstDatabase(patient: Patient): Promise<Finding | null> {
  const db = await patient.openDatabase().catch(() => null)
  if (!db) return null
  const at = await db.value<string>`select clock_timestamp()::timestamptz(3)`
  return judge(patient, 'the database', Date.parse(at))
}

/** Compares with events, which are never in the future. */
async function againstEvents(patient: Patient): Promise<Finding | null> {
  const db = await patient.database().catch(() => null)
  if (!db) return null
  const last = await db.maybe<{ at: string }>`
    select at from (
      (select id, at from events order by id desc limit 1) union all
      (select id, at from passing_events order by id desc limit 1)) last
    order by id desc limit 1`
  if (!last || Date.parse(last.at) - patient.clock.now().getTime() < FAR_MS) return null
  return reportFault(
    `The clock is at ${patient.clock.now().toISOString()}, but the latest record is from ${last.at}: the clock was set back, or was ahead then.`,
    ADVICE,
  )
}

/** Compares with APP_URL; a proxy or another machine reports its own time. */
async function againstAddress(patient: Patient): Promise<Finding | null> {
  const { config, outbound, wrong } = patient
  if (wrong.has('APP_URL')) return null
  const answer = await outbound.provider(`${config.appUrl}/health/live`, { timeoutMs: 5000 }).catch(() => null)
  const serverTime = Date.parse(answer?.headers.date ?? '')
  return Number.isNaN(serverTime) ? null : judge(patient, config.appUrl, serverTime)
}

function judge({ clock }: Patient, source: string, serverTime: number): Finding | null {
  const apart = Math.abs(serverTime - clock.now().getTime())
  if (apart < NOTABLE_MS) return null
  const words = `The clock is at ${clock.now().toISOString()}, that of ${source} at ${new Date(serverTime).toISOString()}.`
  return apart < FAR_MS ? reportWarning(words, ADVICE) : reportFault(words, ADVICE)
}
