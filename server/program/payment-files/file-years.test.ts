import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectOk, signIn, startApp, turnableClock } from '../../../test/support/app.ts'
import { aPayout, getPayout } from '../../../test/support/payouts.ts'
import { aEuroAccount, aEuroPayee } from '../../../test/support/sepa.ts'

const clock = turnableClock('2026-12-15T12:00:00Z')
const app = await startApp({ clock, config: { rateLimitFactor: 1000 } })

test('a file that a bank executes next year holds payouts of partners who are approved for that year', async () => {
  const account = await aEuroAccount(app, { timeZone: 'UTC', paydays: { every: 'month', days: [1] } })
  const partners = [await aEuroPayee(app, account), await aEuroPayee(app, account), await aEuroPayee(app, account)]
  const dues = []
  for (const partner of partners) dues.push(await aPayout(app, account, partner, 100_00))
  const [now, both, next] = dues.map(({ id }) => id)
  const approveFor = async (at: number, years: number[]) =>
    expectOk(
      await app.api('PUT', `/partners/${partners[at]!.id}`, {
        ...{ token: account.token, body: { approvedPayoutYears: years } },
      }),
    )
  await approveFor(1, [2026, 2027])
  await approveFor(2, [2027])
  // approved by itself before, it waits for a file
  expectOk(await app.api('POST', `/payouts/${now}/approve`, { token: account.token, body: {} }))
  const make = (body: object) =>
    app.api('POST', `/accounts/${account.id}/payment-files`, {
      token: account.token,
      body: { method: 'sepa', ...body },
    })
  const preview = expectOk(await make({ ids: [now, both, next], preview: true })).body
  assert.deepEqual([preview.count, preview.amount], [2, 200_00])
  assert.deepEqual([preview.executionDate, preview.movedFrom], ['2027-01-04', '2027-01-01'])
  assert.deepEqual(
    preview.excluded.map(({ id, error }: { id: string; error: { message: string } }) => [id, error.message]),
    [[now, 'Not yet approved for 2027.']],
  )
  const file = expectOk(await make({ ids: [now, both, next] })).body
  assert.deepEqual([file.executionDate, file.count], ['2027-01-04', 2])
  const download = async () =>
    (await app.api('GET', `/payment-files/${file.id}/download`, { token: account.token })).status
  assert.equal(await download(), 200)
  const early = expectOk(await make({ ids: [now, both, next], executionDate: '2026-12-31' })).body
  assert.deepEqual([early.executionDate, early.count], ['2026-12-31', 1])

  for (const [wished, day] of [
    ['2026-12-24', '2026-12-24'],
    ['2026-12-25', '2026-12-28'],
    ['2027-01-02', '2027-01-04'],
  ]) {
    const look = expectOk(await make({ all: true, preview: true, executionDate: wished })).body
    assert.deepEqual([look.executionDate, look.movedFrom], [day, wished === day ? null : wished])
  }

  clock.set('2027-01-01T09:00:00Z')
  account.token = (await signIn(app, account.ownerEmail)).token
  assert.equal(await download(), 200)
  assert.equal((await getPayout(app, account, next!)).status, 'approved')
  await approveFor(2, [2026])
  assert.equal(await download(), 409)
})
