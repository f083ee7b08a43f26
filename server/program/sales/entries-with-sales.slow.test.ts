import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryStatuses } from '#contract/commissions.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { ledgerHistory } from '../../../test/support/ledger-history.ts'
import { plansInOrder, vacuumTables } from '../../../test/support/plans.ts'
import { asDatabaseOwner } from '../../../test/support/postgres.ts'
import type { Access } from '../access/access.ts'
import { listPartnerEntries } from './entries-with-sales.ts'

const app = await startApp()

/** An owner's view of a partner who has one in fifty of an account's entries. */
async function amongMany(): Promise<Access> {
  const { db } = app.services
  const owner = await anAccount(app)
  const [partner, other] = [await aPartner(app, owner), await aPartner(app, owner)]
  await db.run`
    insert into commission_entries (id, account_id, partner_id, amount, currency, kind, available_at, day, created_at)
    select gen_random_uuid(), ${owner.id}, case n % 50 when 0 then ${partner.id}::uuid else ${other.id}::uuid end, n, 'usd', 'bonus',
      now(), now()::date, now() - n * interval '1 minute'
    from generate_series(1, 4000) n`
  await vacuumTables(asDatabaseOwner(db), 'commission_entries')
  const account = { id: owner.id, timeZone: 'UTC', partnerVisibility: {} }
  return { as: 'owner', account, subjectId: partner.id, partnerId: null } as unknown as Access
}

const access = await amongMany()
const inTheMiddle = `${new Date(Date.now() - 2000 * 60_000).toISOString().slice(0, 19).replace('T', ' ')}+00`

test('a page of commissions is read in the order of an index, also from a cursor', async () => {
  for (const sort of ['createdAt', '-createdAt']) {
    const cursor = Buffer.from(JSON.stringify([sort, inTheMiddle, access.subjectId])).toString('base64url')
    for (const query of [
      { sort, limit: 50 },
      { sort, limit: 50, cursor, uncounted: true as const },
    ]) {
      const plan = await plansInOrder(app.services.db, (tx) => listPartnerEntries(tx, access, query))
      assert.match(plan, /Index Scan (Backward )?using commission_entries_in_order/, JSON.stringify(query))
      const [page] = plan.split(/\n(?=\S)/)
      assert.doesNotMatch(page!, /Sort Key/, JSON.stringify(query))
    }
  }
})

test('the sum of a partner’s many commissions is read from an index alone', async () => {
  const plan = await plansInOrder(app.services.db, (tx) =>
    listPartnerEntries(tx, access, { sort: '-createdAt', limit: 50 }),
  )
  assert.match(plan, /Aggregate.*\n *-> +Index Only Scan using commission_entries_in_order/)
})

test('totals cover all pages, with any filters', async () => {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const partner = await aPartner(app, account)
  const call = async (method: 'GET' | 'POST', path: string, body?: object) =>
    expectOk(await app.api(method, path, { token: account.token, ...(body && { body }) })).body
  const lead = await call('POST', `/accounts/${account.id}/leads`, { email: anEmail(), partnerId: partner.id })
  for (const amount of [10_00, 20_00, 30_00])
    await call('POST', `/leads/${lead.id}/sales`, { amount, externalId: `inv-${amount}` })
  const totals = async (query: string) => {
    const { total, totals } = await call('GET', `/partners/${partner.id}/commissions?limit=1${query}`)
    return [total, totals.count, totals.amount]
  }
  assert.deepEqual(await totals(''), [3, 3, 12_00])
  assert.deepEqual(await totals('&kind=earned'), [3, 3, 12_00])
  assert.deepEqual(await totals('&status=held'), [3, 3, 12_00])
  assert.deepEqual(await totals('&status=due,paid'), [0, 0, 0])
  assert.deepEqual(await totals('&search=inv-2000'), [1, 1, 4_00])
  assert.deepEqual(await totals('&search=inv-&status=held'), [3, 3, 12_00])
})

test('the filter by status finds exactly the entries with that status, at any time', async () => {
  const { db } = app.services
  const { account, partnerIds } = await ledgerHistory(db)
  const seen = new Set<string>()
  for (const days of [-1, 0, 40])
    for (const subjectId of partnerIds) {
      const now = new Date(Date.now() + days * 86_400_000)
      const access = { as: 'owner', account, subjectId, partnerId: null } as unknown as Access
      const list = async (status?: string[]) =>
        (await listPartnerEntries({ ...db, now }, access, { sort: 'createdAt', limit: 100, status })).items
      const all = await list()
      for (const { status } of all) seen.add(status)
      for (let some = 1; some < 2 ** entryStatuses.length; some++) {
        const states = entryStatuses.filter((_, index) => some & (1 << index))
        const those = all.filter(({ status }) => states.includes(status))
        assert.deepEqual(await list(states), those, states.join())
      }
    }
  assert.deepEqual([...seen].sort(), [...entryStatuses].sort())
})
