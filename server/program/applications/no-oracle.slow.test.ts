import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { toMedian } from '../../../bench/rounds.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { anApplicant, hiddenIn, openProgram, visitPage } from '../../../test/support/applications.ts'

// Neither the page nor its response time, measured in turns, reveals whether an e-mail is known.

const ROUNDS = 400
/** Turns before the first that is counted. */
const WARM_UP = 40
/** Largest difference between medians. */
const APART = 0.1
/** Measurements before the difference counts: other work on the machine can spoil one. */
const MEASUREMENTS = 3

test('known and unknown e-mails are answered alike, and as fast', async () => {
  // a mail server makes known e-mails different; its mails leave only by the worker, which doesn't run here
  const secretKey = randomBytes(32)
  const keeping = await startApp({ config: { secretKey } })
  const app = await startApp({ db: keeping.services.db, config: { secretKey, smtpUrl: 'smtp://127.0.0.1:9' } })
  const account = await anAccount(keeping)
  const slug = await openProgram(app, account)
  const call = async (path: string, body: object) =>
    expectOk(await app.api('POST', `/accounts/${account.id}${path}`, { token: account.token, body })).body
  const partner = await aPartner(keeping, account)
  const waiting = anApplicant()
  await call('/applications', { ...waiting, emailConfirmed: true })
  const rejected = anApplicant()
  const { id } = await call('/applications', { ...rejected, emailConfirmed: true })
  await call('/applications/decisions', { ids: [id], decision: 'reject', reason: 'other', silent: true })
  const known = [partner.email, waiting.email, rejected.email]

  const issued = hiddenIn((await visitPage(app, `/join/${slug}`)).html, 'issued')
  const answers = new Set<string>()
  const post = async (email: string) => {
    const body = new URLSearchParams({ ...anApplicant({ email }), issued })
    const begun = performance.now()
    const reply = await fetch(`${app.url}/join/${slug}`, { method: 'POST', redirect: 'manual', body })
    const html = await reply.text()
    const took = performance.now() - begun
    const headers = [...reply.headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
    answers.add(JSON.stringify([reply.status, headers, html]))
    return took
  }

  const measure = async () => {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let round = -WARM_UP; round < ROUNDS; round++)
      for (const kind of round % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        const took = await post(kind === 'known' ? known[Math.abs(round) % known.length]! : anEmail('unknown'))
        if (round >= 0) times[kind].push(took)
      }
    return toMedian(times.known) / toMedian(times.unknown)
  }
  const ratios: number[] = []
  do ratios.push(await measure())
  while (Math.abs(ratios.at(-1)! - 1) > APART && ratios.length < MEASUREMENTS)
  assert.ok(Math.abs(ratios.at(-1)! - 1) <= APART, `known against unknown: ${ratios.map((ratio) => ratio.toFixed(2))}`)
  assert.equal(answers.size, 1, [...answers].join('\n'))
})
