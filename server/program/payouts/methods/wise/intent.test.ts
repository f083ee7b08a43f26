import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signIn, startApp } from '../../../../../test/support/app.ts'
import { payoutsEveryHour } from '../../../../../test/support/clock-runs.ts'
import {
  aPayee,
  bankDetails,
  bookDue,
  connectWise,
  getBalance,
  listPayouts,
  requestRefresh,
} from '../../../../../test/support/payouts.ts'
import { asDatabaseOwner } from '../../../../../test/support/postgres.ts'
import { createInstalls, workOn } from '../../../../../test/support/wise-payouts.ts'
import { transaction } from '../../../../platform/database/pool.ts'
import { verifyLedger } from '../../../stats/verify.ts'
import { pollTransfers } from '../../jobs.ts'
import { transactionId } from '../../payout-attempts.ts'
import { advancePayout } from '../../process-payout.ts'

const app = await startApp()
const { anInstall, anApproved, show, verb } = createInstalls(app)
type Install = Awaited<ReturnType<typeof anInstall>>

const NEW = '9988776655'
const denied = { status: 401, body: { error: 'invalid_token', error_description: 'Invalid token' } }

async function changeDetails({ account, partner }: Pick<Install, 'account' | 'partner'>, accountNumber = NEW) {
  partner.token = (await signIn(app, partner.email)).token
  account.token = (await signIn(app, account.ownerEmail)).token
  const body = bankDetails({ accountNumber })
  const { status } = await app.api('POST', `/partners/${partner.id}/payout-settings`, { token: partner.token, body })
  assert.equal(status, 200)
}
const changePartner = ({ account, partner }: Install, body: object) =>
  app.api('PUT', `/partners/${partner.id}`, { token: account.token, body })
const settings = ({ account }: Install, body: object) =>
  app.api('PUT', `/accounts/${account.id}/auto-payout-settings`, { token: account.token, body })
const wiseError = async (install: Install) => (await settings(install, {})).body.wiseError as string | null

/** Returns the payments made: dollars, account number, profile. */
const paid = ({ wise }: Install) =>
  [...wise.transfers.values()]
    .filter(({ status }) => !['incoming_payment_waiting', 'cancelled'].includes(status))
    .map(({ targetValue, targetAccount, business }) => [
      targetValue,
      (wise.recipients.get(targetAccount)!.details as { accountNumber: string }).accountNumber,
      business ?? wise.personalId,
    ])
const codes = (reply: { body: { error: { details: { blockers: { code: string }[] } } } }) =>
  reply.body.error.details.blockers.map(({ code }) => code)
const at = (wanted: string, happen: () => Promise<unknown>) => ({
  onStep: async (step: string) => {
    if (step === wanted) await happen()
  },
})

test('after a set-back the new approval is paid: its amount, to the new account', async () => {
  const install = await anInstall()
  const { wise, account, partner, services } = install
  const id = await anApproved(install)
  wise.fail('POST /v1/transfers', denied)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'approved')
  await changeDetails(install)
  assert.equal((await show(install, id)).status, 'due')
  await bookDue(app, account, partner, 50_00)
  assert.equal((await verb(install, id, 'approve')).body.amount, 175_50)
  await workOn(services, id)
  assert.deepEqual(paid(install), [[175.5, NEW, wise.businessId]])
  assert.deepEqual(
    (await show(install, id)).attempts.map(({ state }) => state),
    ['abandoned', 'processing'],
  )
})

test('a payout pays from the profile that is chosen now', async () => {
  const install = await anInstall()
  const { wise, services } = install
  const id = await anApproved(install)
  wise.fail('POST /v1/transfers', denied)
  await workOn(services, id)
  await settings(install, { wiseProfileId: String(wise.personalId) })
  await workOn(services, id)
  assert.deepEqual(paid(install), [[125.5, '123456789', wise.personalId]])
})

test('a profile chosen while a transfer waits for money: the transfer is cancelled and made anew from there', async () => {
  const install = await anInstall({ balance: { USD: 1 } })
  const { wise, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  wise.topUp('USD', 1_000, wise.businessId)
  wise.topUp('USD', 1_000, wise.personalId)
  await settings(install, { wiseProfileId: String(wise.personalId) })
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'approved')
  await workOn(services, id)
  assert.deepEqual(paid(install), [[125.5, '123456789', wise.personalId]])
  assert.equal(wise.transferBy(transactionId(id, 1))?.status, 'cancelled')
})

const changes: [string, string, (install: Install) => Promise<unknown>][] = [
  [
    'suspending the partner',
    'open',
    (install) => changePartner(install, { state: 'suspended', reason: 'Under discussion' }),
  ],
  ['taking the year back', 'open', (install) => changePartner(install, { approvedPayoutYears: [] })],
  ['changing the details', 'due', (install) => changeDetails(install)],
  [
    'removing the details',
    'open',
    async ({ partner }) => {
      const { token } = await signIn(app, partner.email)
      return app.api('DELETE', `/partners/${partner.id}/payout-settings`, { token })
    },
  ],
]
const before = ['attempt-saved', 'quote-made', 'quote-saved', 'recipient-saved', 'transfer-announced', 'transfer-saved']

test('what changes before the money leaves stops it, whatever was asked of Wise already', async (t) => {
  for (const [name, becomes, change] of changes) {
    const install = await anInstall()
    const { wise, services, account } = install
    // every step once, and for each change the last step before a known result
    for (const step of name === 'changing the details' ? before : (['transfer-announced'] as const))
      await t.test(`${name} at ${step}`, async () => {
        account.token = (await signIn(app, account.ownerEmail)).token
        const partner = await aPayee(app, account)
        const one = { ...install, partner }
        const id = await anApproved(one)
        await advancePayout(
          services,
          id,
          at(step, () => change(one)),
        )
        app.clock.advance(61_000)
        await workOn(services, id)
        account.token = (await signIn(app, account.ownerEmail)).token
        assert.equal((await show(install, id)).status, becomes)
        assert.deepEqual(paid(install), [])
        assert.ok([...wise.transfers.values()].every(({ status }) => status === 'cancelled'))
        assert.equal((await getBalance(app, account, partner)).due, 125_50)
      })
  }
})

test('a transfer that waits for money is cancelled when its partner is suspended', async () => {
  const install = await anInstall({ balance: { USD: 1 } })
  const { wise, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  await changePartner(install, { state: 'suspended', reason: 'Under discussion' })
  const retried = await verb(install, id, 'retry')
  assert.deepEqual([retried.status, codes(retried)], [409, ['partner-disabled']])
  wise.topUp('USD', 1_000)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'open')
  assert.equal(wise.transferBy(transactionId(id, 1))?.status, 'cancelled')
})

test('an unknown transfer is found and cancelled before its entries are free; never asked for again', async () => {
  const install = await anInstall()
  const { wise, services } = install
  const id = await anApproved(install)
  wise.fail('POST /v1/transfers', 'reset-after')
  await assert.rejects(advancePayout(services, id), { kind: 'unknown' })
  const requests = wise.callsTo('POST /v1/transfers').length
  await changeDetails(install)
  assert.equal((await show(install, id)).status, 'processing')
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'due')
  assert.equal(wise.callsTo('POST /v1/transfers').length, requests)
  assert.equal(wise.transferBy(transactionId(id, 1))?.status, 'cancelled')
})

test('a transfer that Wise never made: nothing is freed until no call can be on its way any more', async () => {
  const install = await anInstall()
  const { wise, services } = install
  const id = await anApproved(install)
  wise.fail('POST /v1/transfers', 'reset-before')
  await assert.rejects(advancePayout(services, id), { kind: 'unknown' })
  await changeDetails(install)
  await assert.rejects(advancePayout(services, id), { kind: 'unknown', retryAfter: 60 })
  assert.equal((await show(install, id)).status, 'processing')
  app.clock.advance(61_000)
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'due')
  assert.equal(wise.transfers.size, 0)
})

test('a retry passes the judgement of an approval, and so does money paid by other means', async () => {
  const install = await anInstall()
  const { wise, services } = install
  const id = await anApproved(install)
  wise.requireApproval()
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'failed')
  const year = app.clock.now().getUTCFullYear()
  await changePartner(install, { state: 'suspended', reason: 'Under discussion', approvedPayoutYears: [year - 1] })
  const retried = await verb(install, id, 'retry')
  assert.deepEqual([retried.status, codes(retried)], [409, ['not-approved-this-year', 'partner-disabled']])
  const reference = 'Check 17'
  const marked = await verb(install, id, 'mark-paid', { reference })
  assert.deepEqual([marked.status, codes(marked)], [409, ['not-approved-this-year', 'partner-disabled']])
  await changePartner(install, { state: 'active' })
  assert.deepEqual(codes(await verb(install, id, 'mark-paid', { reference })), ['not-approved-this-year'])
  const lastYear = { reference, paidAt: `${year - 1}-12-30` }
  assert.equal(
    (await verb(install, id, 'mark-paid', lastYear)).body.status,
    'paid',
    'the year counts in which it was paid',
  )
})

test('without a token a payout that has no transfer can be cancelled; one that may have says so', async () => {
  const install = await anInstall()
  const { wise, account, partner, services } = install
  const silent = await anApproved(install)
  wise.fail('POST *quotes', 'reset-before')
  await assert.rejects(advancePayout(services, silent), { kind: 'unknown' })
  await settings(install, { wiseToken: null })
  await workOn(services, silent)
  assert.deepEqual(
    [(await show(install, silent)).status, (await show(install, silent)).failureReason],
    ['approved', 'Wise isn’t connected. Connect it again, or cancel this payout.'],
  )
  assert.equal((await verb(install, silent, 'cancel')).body.status, 'canceled')

  await connectWise(app, account, wise)
  const [due] = await listPayouts(app, account, partner)
  await verb(install, due!.id, 'approve')
  wise.fail('POST /v1/transfers', 'reset-after')
  await assert.rejects(advancePayout(services, due!.id), { kind: 'unknown' })
  await settings(install, { wiseToken: null })
  await workOn(services, due!.id)
  const waiting = await show(install, due!.id)
  assert.equal(waiting.status, 'processing')
  assert.match(waiting.failureReason ?? '', /Connect Wise again/)
  await connectWise(app, account, wise)
  await workOn(services, due!.id)
  assert.deepEqual(paid(install), [[125.5, '123456789', wise.businessId]])
})

test('without a profile a payout waits and says so, whatever was asked of Wise already', async () => {
  const install = await anInstall()
  const { wise, account, partner, services } = install
  const words = 'No Wise profile is selected. Choose one, or cancel this payout.'
  const second = await aPayee(app, account)
  const [begun, untouched] = [await anApproved(install), await anApproved({ ...install, partner: second })]
  wise.fail('POST /v1/accounts', 'reset-before')
  await assert.rejects(advancePayout(services, begun), { kind: 'unknown' })
  await settings(install, { wiseProfileId: null })
  for (const id of [begun, untouched]) {
    await workOn(services, id)
    const { status, failureReason } = await show(install, id)
    assert.deepEqual([status, failureReason], ['approved', words])
  }
  await settings(install, { wiseProfileId: String(wise.businessId) })
  for (const id of [begun, untouched]) await workOn(services, id)
  assert.equal(paid(install).length, 2)
  assert.equal((await getBalance(app, account, partner)).inPayout, 125_50)
})

test('details that change while Wise refuses the token: due again, with nobody stuck', async () => {
  const install = await anInstall()
  const { wise, services } = install
  const id = await anApproved(install)
  wise.fail('POST /v1/transfers', denied)
  await advancePayout(
    services,
    id,
    at('transfer-announced', () => changeDetails(install)),
  )
  await workOn(services, id)
  assert.equal((await show(install, id)).status, 'due')
})

const old = { status: 403, body: { status: 403, message: 'Access denied' } }

test('an old transfer that Wise does not show is reported separately, and queried less and less often', async () => {
  const install = await anInstall()
  const { wise, account, services } = install
  const id = await anApproved(install)
  await workOn(services, id)
  for (const status of [403, 404]) {
    wise.fail('GET /v1/transfers/*', { ...old, status }, 1)
    await workOn(services, id)
    const seen = await show(install, id)
    assert.equal(seen.status, 'processing')
    assert.match(seen.failureReason ?? '', /can’t see this transfer/)
    assert.match(seen.attempts[0]!.error ?? '', /can’t see this transfer/)
    assert.equal(await wiseError(install), null, 'the account goes on')
  }
  const looks = async (minutes: number) => {
    app.clock.advance(minutes * 60_000)
    await pollTransfers(services)
    const { jobs } = await services.db.one<{ jobs: number }>`
      select count(*) as jobs from pgboss.job where name = 'pay-out' and data @> ${JSON.stringify({ payoutId: id, poll: true })}::jsonb`
    return jobs
  }
  assert.equal(await looks(60), 0, 'refused twice: not before two hours')
  assert.equal(await looks(61), 1)
  account.token = (await signIn(app, account.ownerEmail)).token
  await workOn(services, id)
  const after = await show(install, id)
  assert.deepEqual([after.failureReason, after.attempts[0]!.error], [null, null], 'it is shown again')
  const calls = wise.callsTo('GET /v1/transfers/*').length
  await requestRefresh(app, account)
  assert.equal(wise.callsTo('GET /v1/transfers/*').length, calls + 1)
})

test('an answer that is not what was asked for stops the payout, and is never paid', async (t) => {
  const install = await anInstall()
  const { wise, services, account } = install
  const wrong: [string, string, Record<string, unknown>, RegExp][] = [
    ['quote of another amount', 'POST *quotes', { targetAmount: 999 }, /different amount/],
    ['recipient with another number', 'POST /v1/accounts', { details: { accountNumber: '5555' } }, /different details/],
    ['transfer to another recipient', 'POST /v1/transfers', { targetAccount: 17 }, /different recipient/],
    ['transfer of another quote', 'POST /v1/transfers', { quoteUuid: 'other' }, /different quote/],
    ['transfer of another amount', 'POST /v1/transfers', { targetValue: 999 }, /different amount/],
  ]
  for (const [name, call, lie, words] of wrong)
    await t.test(name, async () => {
      const partner = await aPayee(app, account)
      const id = await anApproved({ ...install, partner })
      const lying = wise.lie(call, lie)
      await workOn(services, id)
      lying.end()
      const failed = await show(install, id)
      assert.equal(failed.status, 'failed')
      assert.match(failed.failureReason ?? '', words)
      assert.deepEqual(paid(install), [])
      assert.ok([...wise.transfers.values()].every(({ status }) => status === 'cancelled'))
    })
  await t.test('a transfer that is not ours', async () => {
    const partner = await aPayee(app, account)
    const id = await anApproved({ ...install, partner })
    const lying = wise.lie('POST /v1/transfers', { customerTransactionId: transactionId(id, 9) })
    await assert.rejects(advancePayout(services, id), { kind: 'unknown' })
    assert.match((await show(install, id)).attempts[0]!.error ?? '', /belongs to a different payout/)
    lying.end()
    await workOn(services, id)
    assert.deepEqual(paid(install), [[125.5, '123456789', wise.businessId]])
  })
})

test('the database keeps what an attempt is to pay, and lets no two of them live', async () => {
  const install = await anInstall({ balance: { USD: 1 } })
  const { services } = install
  const { db } = services
  const id = await anApproved(install)
  await workOn(services, id)
  const refuses = (statement: string, why: RegExp) =>
    assert.rejects(
      transaction(asDatabaseOwner(db), (tx) => tx.client.query(statement, [id])),
      why,
    )
  for (const change of [
    'amount = amount + 1',
    `currency = 'eur'`,
    'year = year + 1',
    'details_version = gen_random_uuid()',
    `method = 'csv'`,
    `paid_from = '17'`,
    `transfer_id = '17'`,
  ])
    await refuses(`update payout_attempts set ${change} where payout_id = $1`, /keeps what it is to pay/)
  await refuses('delete from payout_attempts where payout_id = $1', /append-only/)
  const another = (number: number, amount: string) => `
    insert into payout_attempts (id, account_id, payout_id, number, customer_transaction_id, paid_from, method,
      details_version, amount, currency, year, state, stage, at, updated_at)
    select gen_random_uuid(), account_id, payout_id, ${number}, gen_random_uuid(), paid_from, method, details_version, ${amount},
      currency, year, 'created', 'prepared', at, at from payout_attempts where payout_id = $1`
  await refuses(another(2, 'amount'), /payout_attempts_one_live/)
  await refuses(another(2, 'null'), /does not say what it is to pay/)
  await refuses(
    `with freed as (update payouts set status = 'canceled' where id = $1 returning id)
      update payout_entries set live = false where payout_id in (select id from freed)`,
    /may still have a transfer|holds entries|entries sum/,
  )
  await refuses(`update events set data = '{}' where subject_id = $1`, /append-only/)
  const moved = await db.many<{ status: { old: string; new: string } }>`
    select changes -> 'status' as status from audit where subject_id = ${id} and changes ? 'status' order by id`
  assert.deepEqual(
    moved.map(({ status }) => `${status.old} ${status.new}`),
    ['due approved', 'approved processing', 'processing awaiting-funding'],
  )
})

test('an hour that fails for one account goes on for the next', async () => {
  const [one, two] = [await anInstall(), await anInstall()]
  const { db } = one.services
  await bookDue(app, one.account, one.partner, 30_00)
  await bookDue(app, two.account, two.partner, 30_00)
  await asDatabaseOwner(db).pool.query(`
    create function refuse_one() returns trigger language plpgsql as $$
    begin
      if new.account_id = '${one.account.id}' then raise exception 'not this one'; end if;
      return new;
    end $$;
    create trigger refuse_one before insert on payouts for each row execute function refuse_one()`)
  try {
    await payoutsEveryHour(one.services)
  } finally {
    await asDatabaseOwner(db).pool.query('drop trigger refuse_one on payouts')
  }
  assert.equal((await listPayouts(app, one.account, one.partner)).length, 0)
  assert.equal((await listPayouts(app, two.account, two.partner)).length, 1)
})

test('after all this the ledger agrees with itself', async () => {
  assert.deepEqual(await verifyLedger(app.services.db), [])
})
