import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workOff } from '../../../demo/drain-jobs.ts'
import { anAccount, expectOk, signIn, startApp, turnableClock } from '../../../test/support/app.ts'
import { openProgram, sendForm } from '../../../test/support/applications.ts'
import { placesWith, tablesAmong } from '../../../test/support/canaries.ts'
import { deleteByAccount } from '../../retention.ts'
import { getAccountFacts } from '../access/account-facts.ts'
import { deleteOldApplications } from './delete-old-applications.ts'

const DAY = 86_400_000

// by day, after the account's night
const clock = turnableClock('2026-11-20T12:00:00Z')
const app = await startApp({ clock })
const { db } = app.services

/** Applies with these words in every field; without a mail server it waits at once. */
async function aCanary(word: string) {
  const account = await anAccount(app, { retention: { rawDataDays: 7 } })
  const slug = await openProgram(app, account, { questions: [{ label: 'Why?', kind: 'text' }], reapplyAfterDays: null })
  const names = { firstName: `${word} First`, lastName: `${word} Last`, email: `${word}@mail.example` }
  const apply = async () => {
    assert.equal((await sendForm(app, slug, { ...names, q0: `Since the ${word} sang` })).status, 303)
    await workOff(app.services)
  }
  await apply()
  const call = async (method: string, path: string, body?: unknown) =>
    expectOk(await app.api(method, path, { token: account.token, body })).body
  const home = `/accounts/${account.id}/applications`
  const [application] = (await call('GET', home)).items
  assert.deepEqual(application.flags, ['email-not-confirmed'])
  const decide = (body: object) => call('POST', `${home}/decisions`, { ids: [application.id], ...body })
  const signInAgain = async () => Object.assign(account, await signIn(app, account.ownerEmail))
  return { account, apply, call, home, decide, signInAgain }
}

test('a rejected application loses what it says of its person, also in events, and may still not be repeated', async () => {
  const word = 'nachtigall'
  const { account, apply, call, home, decide, signInAgain } = await aCanary(word)
  await decide({ decision: 'reject', reason: 'other', message: `No ${word} please`, silent: true })
  assert.deepEqual(tablesAmong(await placesWith(app, [word])).sort(), ['applications', 'passing_events'])
  clock.advance(8 * DAY)
  await deleteByAccount(app.services)
  await deleteOldApplications((await getAccountFacts(db, [account.id])).get(account.id)!, app.services)
  assert.deepEqual(await placesWith(app, [word]), [])
  await signInAgain()
  const [kept] = (await call('GET', home)).items
  assert.deepEqual(
    [kept.status, kept.reason, kept.email, kept.firstName, kept.message, kept.answers],
    ['rejected', 'other', null, null, null, []],
  )
  assert.equal((await decide({ decision: 'approve' })).results[0].error.reason, 'application_emptied')
  await apply()
  assert.equal((await call('GET', home)).total, 1, 'a hash of the e-mail stays: never means never')
  assert.equal((await call('GET', `${home}?status=unconfirmed`)).total, 1)
  clock.advance(8 * DAY)
  await deleteByAccount(app.services)
  assert.deepEqual(await placesWith(app, [word]), [], 'what was never confirmed is deleted')
})

test('erasing a partner empties their application', async () => {
  const word = 'zaunkoenig'
  const { call, decide } = await aCanary(word)
  const [{ partnerId }] = (await decide({ decision: 'approve' })).results
  const file = await call('GET', `/partners/${partnerId}/person`)
  assert.equal(file.applications[0].answers[0].value, `Since the ${word} sang`)
  await call('POST', `/partners/${partnerId}/archive`, {})
  await workOff(app.services)
  await call('POST', `/partners/${partnerId}/erase`, {})
  await workOff(app.services)
  assert.deepEqual(tablesAmong(await placesWith(app, [word])), [])
})
