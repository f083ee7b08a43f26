import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryStatuses } from '#contract/commissions.ts'
import type { CommissionEntryWithSale } from '#contract/sales.ts'
import { assertRefused } from '../../../test/support/api.ts'
import { anAccount, anEmail, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { ledgerHistory } from '../../../test/support/ledger-history.ts'
import { plansInOrder } from '../../../test/support/plans.ts'
import type { Access } from '../access/access.ts'
import { listCommissions } from './list-commissions.ts'

const app = await startApp()
const { db } = app.services

const ownerOf = (account: object) => ({ as: 'owner', account, subjectId: '', partnerId: null }) as unknown as Access

function sumsOf(entries: CommissionEntryWithSale[]) {
  const sumOf = (status?: string) =>
    entries.filter((entry) => !status || entry.status === status).reduce((sum, { amount }) => sum + amount, 0)
  const [held, due, inPayout, paid] = ['held', 'due', 'in-payout', 'paid'].map(sumOf)
  return { count: entries.length, amount: sumOf(), held, due, inPayout, paid }
}

async function allOf(access: Access, now: Date, query: object = {}) {
  const items: CommissionEntryWithSale[] = []
  for (let cursor: string | undefined; ; ) {
    const answer = await listCommissions({ ...db, now }, access, { sort: 'createdAt', limit: 7, cursor, ...query })
    items.push(...answer.items)
    if (!answer.nextCursor) return { items, totals: answer.totals, total: answer.total }
    cursor = answer.nextCursor
  }
}

test('the totals of a page are those of all pages, of all entries and of those of any state, partner, layer or kind', async () => {
  const { account, partnerIds } = await ledgerHistory(db)
  const access = ownerOf(account)
  const seen = new Set<string>()
  for (const days of [-1, 0, 40]) {
    const now = new Date(Date.now() + days * 86_400_000)
    const all = await allOf(access, now)
    const totals = async (query: object) =>
      (await listCommissions({ ...db, now }, access, { sort: '-createdAt', limit: 1, ...query })).totals
    assert.deepEqual(await totals({}), sumsOf(all.items))
    assert.deepEqual([all.total, all.totals], [all.items.length, sumsOf(all.items)])
    const where = (isSo: (entry: CommissionEntryWithSale) => boolean) => sumsOf(all.items.filter(isSo))
    for (const status of entryStatuses) {
      assert.deepEqual(
        await totals({ status: [status] }),
        where((entry) => entry.status === status),
        status,
      )
      if (all.items.some((entry) => entry.status === status)) seen.add(status)
    }
    for (const id of partnerIds)
      assert.deepEqual(
        await totals({ partner: [id] }),
        where((entry) => entry.partnerId === id),
      )
    assert.deepEqual(
      await totals({ layer: ['1'] }),
      where(({ layer }) => layer === 1),
    )
    assert.deepEqual(
      await totals({ layer: ['0', 'none'] }),
      where(({ layer }) => layer === null || layer === 0),
    )
    assert.deepEqual(
      await totals({ kind: ['reversal'] }),
      where(({ kind }) => kind === 'reversal'),
    )
    const day = all.items.map(({ saleDate }) => saleDate!).filter(Boolean)[0]!
    const dayOf = (entry: CommissionEntryWithSale) => entry.saleDate ?? entry.createdAt.slice(0, 10)
    assert.deepEqual(
      await totals({ from: day }),
      where((entry) => dayOf(entry) >= day),
    )
    assert.deepEqual(
      await totals({ to: day }),
      where((entry) => dayOf(entry) <= day),
    )
  }
  assert.deepEqual([...seen].sort(), [...entryStatuses].sort())
})

test('a page is read in the order of an index, from a cursor on too', async () => {
  const { id } = await anAccount(app)
  const access = ownerOf({ id, timeZone: 'UTC', partnerVisibility: {} })
  for (const sort of ['createdAt', '-createdAt']) {
    const cursor = Buffer.from(JSON.stringify([sort, '2026-03-01 12:00:00+00', id])).toString('base64url')
    for (const query of [
      { sort, limit: 50 },
      { sort, limit: 50, cursor, uncounted: true as const },
    ]) {
      const plan = await plansInOrder(db, (tx) => listCommissions(tx, access, query))
      assert.match(plan, /Index Scan (Backward )?using commission_entries_of_account/, JSON.stringify(query))
      const [page] = plan.split(/\n(?=\S)/)
      assert.doesNotMatch(page!, /Sort Key/, JSON.stringify(query))
    }
  }
})

test('an owner lists the commissions of every partner, finds them by sale, lead and day, and nobody else does', async () => {
  const account = await anAccount(app, { payoutDelay: 30, defaultCommissionSettings: { layerRates: [20, 5] } })
  const parent = await aPartner(app, account)
  const partner = await aPartner(app, account, { parentPartnerId: parent.id }, { signIn: true })
  const path = `/accounts/${account.id}/commissions`
  const call = async (method: 'GET' | 'POST', at: string, body?: object) =>
    expectOk(await app.api(method, at, { token: account.token, ...(body && { body }) })).body
  const lead = await call('POST', `/accounts/${account.id}/leads`, {
    partnerId: partner.id,
    firstName: 'Hannah',
    lastName: 'Cole',
    email: anEmail(),
  })
  const sell = (amount: number, saleDate: string) =>
    call('POST', `/leads/${lead.id}/sales`, { amount, saleDate, externalId: `inv-${amount}` })
  await sell(100_00, '2026-01-10')
  await sell(200_00, '2026-01-31')
  await call('POST', `/partners/${partner.id}/adjustments`, { amount: 7_00, reason: 'Bonus for the webinar' })
  const totals = async (query: string) => (await call('GET', `${path}?limit=1&${query}`)).totals
  assert.deepEqual(await totals(''), { count: 5, amount: 82_00, held: 0, due: 82_00, inPayout: 0, paid: 0 })
  assert.equal((await totals('from=2026-01-11&to=2026-01-31')).amount, 50_00)
  assert.equal((await totals('dueFrom=2026-02-09&dueTo=2026-02-09')).amount, 25_00)
  assert.equal((await totals(`partner=${parent.id}`)).amount, 15_00)
  assert.equal((await totals('layer=none')).amount, 7_00)
  for (const [search, count] of [
    ['hannah', 4],
    ['inv-10000', 2],
    ['webinar', 1],
    ['nobody', 0],
  ])
    assert.equal((await totals(`search=${search}`)).count, count, String(search))
  const { items } = await call('GET', `${path}?layer=1&sort=availableAt`)
  assert.deepEqual(
    items.map((one: CommissionEntryWithSale) => [one.partnerId, one.layer, one.amount, one.saleDate, one.lead?.name]),
    [
      [parent.id, 1, 5_00, '2026-01-10', 'Hannah Cole'],
      [parent.id, 1, 10_00, '2026-01-31', 'Hannah Cole'],
    ],
  )
  const file = await app.api('GET', `${path}/csv?kind=adjustment`, { token: account.token })
  assert.equal(String(file.body).trim().split('\n').length, 2)
  const other = await anAccount(app)
  assertRefused(await app.api('GET', path, { token: other.token }), 404, 'not_found')
  assertRefused(await app.api('GET', path, { token: partner.token! }), 403, 'forbidden')
  for (const query of ['layer=10', 'status=gone', 'kind=gift', 'from=2026-13-01', 'dueTo=x', 'sort=amount'])
    assertRefused(await app.api('GET', `${path}?${query}`, { token: account.token }), 422, 'validation_failed')
})
