import assert from 'node:assert/strict'
import { workOff } from '../../demo/drain-jobs.ts'
import { clocks } from '../../server/clocks.ts'
import type { TestApp } from './app.ts'
import { listSavedMails } from './saved-mails.ts'

const MINUTE = 60_000

export const runClock = (app: TestApp, name: string) => clocks[name]!.run(app.services)

/** Turns all events into mails: the relay, a minute, the clock, the queue. */
export async function sendAllMails(app: TestApp, minutes = 1) {
  await workOff(app.services)
  app.clock.advance(minutes * MINUTE + 1000)
  await runClock(app, 'gather-mails')
  await workOff(app.services)
}

/** Returns the mails of a kind to a recipient, in no order. */
export const mailsTo = async (app: TestApp, kind: string, to: string) =>
  (await listSavedMails(app)).filter(({ name, to: receivers }) => name.startsWith(`${kind}-`) && receivers.includes(to))

export async function theMail(app: TestApp, kind: string, to: string) {
  const mails = await mailsTo(app, kind, to)
  assert.equal(mails.length, 1, `${mails.length} mails ${kind} to ${to}`)
  return mails[0]!
}
