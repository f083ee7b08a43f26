import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { backUp } from '#server/platform/backups/back-up.ts'
import { openDatabase } from '#server/platform/database/pool.ts'
import { verifyLedger } from '#server/program/stats/verify.ts'
import { fakeStripe } from '#test/fakes/stripe.ts'
import { stripeId } from '#test/fakes/stripe-events.ts'
import { createCaller } from '#test/support/api.ts'
import { anAccount, expectOk, signIn, turnableClock } from '#test/support/app.ts'
import { aBackupFolder, databaseAt, restoreFile } from '#test/support/backups.ts'
import { someCases } from '#test/support/model-test.ts'
import { aConnection, startWithProvider } from '#test/support/payment-providers.ts'
import { emptyDatabase } from '#test/support/postgres.ts'
import { addCredit } from './add-credit.ts'
import { giveRewards } from './give-rewards.ts'

// The database is backed up while a credit is being added, and restored after it was: the product works on in the copy.

const clock = turnableClock()
const stripe = await fakeStripe({ clock: () => clock.now() })
const app = await startWithProvider('stripe', stripe, { clock })
const HOUR = 3_600_000

class Dead extends Error {}

const moments = [
  ['attempt-saved', true],
  ['before the attempt', true],
  ['attempt-saved', false],
  ['credit-added', true],
] as const

for (const [moment, arrives] of someCases(moments, 2))
  test(`a backup taken ${moment}, restored after the credit ${arrives ? 'was' : 'wasn’t'} added: it is added once`, async () => {
    const account = await anAccount(app, { payoutDelay: 0, timeZone: 'UTC' })
    const connection = await aConnection(app, account, stripe)
    const owner = createCaller(app, (await signIn(app, account.ownerEmail)).token)
    const home = `/accounts/${account.id}`
    const customerId = stripeId('cus')
    stripe.store.set(customerId, { id: customerId, object: 'customer', created: 1, currency: null, livemode: false })
    const group = await owner.post(`${home}/groups`, {
      ...{ name: 'Customers', kind: 'customers', reward: { as: 'credit', connectionId: connection.id } },
      terms: { otherwise: { layerRates: [100] } },
    })
    const externalId = `user-${account.id}`
    const partner = expectOk(
      await owner.call('PUT', `${home}/partners/by-external-id/${externalId}`, {
        ...{ email: `${externalId}@app.example`, groupId: group.id },
        customer: { connectionId: connection.id, customerId },
      }),
    ).body
    const lead = await owner.post(`${home}/leads`, { partnerId: partner.id, email: `${account.id}@friend.example` })
    await owner.post(`/leads/${lead.id}/sales`, { amount: 26_10 })
    clock.set(new Date((Math.floor(clock.now().getTime() / (24 * HOUR)) + 2) * 24 * HOUR + 4 * HOUR))
    await giveRewards(app.services)
    const { db } = app.services
    const payout = await db.one<{ id: string; accountId: string }>`
      select id, account_id from payouts where account_id = ${account.id} and status = 'approved'`

    const file = join(await aBackupFolder(), 'one.zip')
    const take = () => backUp(db, file, ['sales', 'commission_entries'])
    if (moment === 'before the attempt') await take()
    await addCredit(app.services, payout, {
      async onStep(step) {
        if (step === moment) await take()
        if (step === 'attempt-saved' && !arrives) throw new Dead()
      },
    }).catch((error: unknown) => {
      if (!(error instanceof Dead)) throw error
    })
    const url = await emptyDatabase()
    await restoreFile(file, url)
    const copy = openDatabase({ ...databaseAt(url), clock, max: 2, patience: 6 })
    after(() => copy.close())
    const services = { ...app.services, db: copy }
    for (let turn = 0; turn < 4; turn++) {
      clock.advance(21 * HOUR)
      // the dead worker's lease, which ends by the database's own clock, is over too
      await copy.run`
        update payouts set look_after = null, leased_until = null where account_id = ${account.id}`
      await addCredit(services, payout)
    }
    const credits = [...stripe.store.values()].flatMap((one) =>
      one.object === 'customer_balance_transaction' && one.customer === customerId ? [one.amount] : [],
    )
    assert.deepEqual(credits, [-26_10])
    assert.equal(await copy.value<string>`select status from payouts where id = ${payout.id}`, 'paid')
    assert.deepEqual(await verifyLedger(copy), [])
  })
