import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalAmount } from '#contract/money.ts'
import { expectOk, startApp } from '../../../test/support/app.ts'
import { aPayout, getPayout } from '../../../test/support/payouts.ts'
import { aEuroAccount, aEuroPayee, buildStatement, enterEuroDetails, statusReport } from '../../../test/support/sepa.ts'
import { verifyLedger } from '../stats/verify.ts'

const app = await startApp({ config: { rateLimitFactor: 1000 } })

/** An account with one payout in a SEPA file, and what a test asks of it. */
async function aFiledPayout() {
  const account = await aEuroAccount(app, { timeZone: 'UTC' })
  const { token } = account
  const payee = await aEuroPayee(app, account)
  const { id, statementNumber } = await aPayout(app, account, payee, 100_00)
  const call = async (method: string, path: string, body?: object) =>
    expectOk(await app.api(method, `/accounts/${account.id}${path}`, { token, ...(body && { body }) })).body
  const { messageId } = await call('POST', '/payment-files', { method: 'sepa', ids: [id] })
  const reference = `PO-${statementNumber}`
  return {
    ...{ account, payee, id, call },
    upload: (file: string) => call('POST', '/payouts/results', { file, dryRun: false }),
    checked: (status: string) => statusReport(messageId, { [reference]: status }),
    booked: buildStatement([
      { reference, amount: decimalAmount(100_00, 'eur'), day: app.clock.now().toISOString().slice(0, 10) },
    ]),
    check: async () => (await getPayout(app, account, id)).nameCheck?.result ?? null,
    atPartner: async () =>
      expectOk(await app.api('GET', `/partners/${payee.id}/payout-settings`, { token })).body.nameCheck?.result ?? null,
    waiting: async () =>
      (await call('GET', '/payouts/attention')).items.map(({ kind, message }: { kind: string; message: string }) => [
        kind,
        message,
      ]),
  }
}

test('what a bank says of a name stays at the payout and its partner, and asks an owner to look', async () => {
  const { payee, id, call, upload, checked, booked, check, atPartner, waiting } = await aFiledPayout()
  assert.deepEqual([await check(), await atPartner()], [null, null])
  await upload(checked('RVNA'))
  assert.deepEqual([await check(), await atPartner()], ['not-checked', 'not-checked'])
  assert.deepEqual(await waiting(), [['results', '1 payout is in payment file 1']])
  const { partnerName } = (await call('GET', '/payouts')).items[0]
  for (const [status, result] of [
    ['RVMC', 'close-match'],
    ['RVNM', 'no-match'],
    // a milder word changes nothing, whenever it comes
    ['RVMC', 'no-match'],
    ['RCVC', 'no-match'],
  ] as const) {
    await upload(checked(status))
    assert.deepEqual([await check(), await atPartner()], [result, result])
    assert.deepEqual(await waiting(), [['check-name', `The bank found another name on the account of ${partnerName}`]])
  }
  const doubted = await call('GET', '/payouts?attention=check-name')
  assert.deepEqual(
    doubted.items.map((one: { id: string }) => one.id),
    [id],
  )
  assert.equal(doubted.items[0].nameCheck.message, 'The bank says: the name doesn’t match')
  // released all the same: nothing is left to do, and the word stays
  assert.equal((await upload(booked)).applied, 1)
  assert.deepEqual([await check(), await atPartner(), await waiting()], ['no-match', 'no-match', []])
  // the partner's word for another account is not the bank's
  await enterEuroDetails(app, payee, { iban: 'FR1420041010050500013M02606' })
  assert.deepEqual([await check(), await atPartner()], ['no-match', null])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('a name check that arrives after the booking, or after the payout was canceled, is kept all the same', async () => {
  const paid = await aFiledPayout()
  await paid.upload(paid.booked)
  const { rows, applied } = await paid.upload(paid.checked('RVMC'))
  assert.deepEqual([applied, rows[0].was, rows[0].becomes, rows[0].error], [0, 'paid', 'paid', null])
  assert.equal(rows[0].note, 'The bank says: the name nearly matches')
  assert.deepEqual([await paid.check(), await paid.waiting()], ['close-match', []])

  const canceled = await aFiledPayout()
  expectOk(await app.api('POST', `/payouts/${canceled.id}/cancel`, { token: canceled.account.token }))
  await canceled.upload(canceled.checked('RVNM'))
  assert.deepEqual([await canceled.check(), await canceled.atPartner()], ['no-match', 'no-match'])
  assert.ok((await canceled.waiting()).every(([kind]: [string]) => kind !== 'check-name'))
})
