import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerHistory } from '../../../test/support/ledger-history.ts'
import { asDatabaseOwner, freshDatabase } from '../../../test/support/postgres.ts'
import { NIL } from '../../platform/database/ids.ts'
import { type Queryable, transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import {
  balanceColumns,
  duesByPartner,
  dueWithoutShare,
  findDueDays,
  type PartnerBalance,
  partnerBalances,
  partnerDuesSql,
} from './partner-balances.ts'
import { getPayoutTerms } from './payout-terms.ts'

const db = await freshDatabase()
const { account, partnerIds } = await ledgerHistory(db)

const DAY = 86_400_000
/** Before anything is due, while some of it is held, and after every hold has ended. */
const moments = [-400, -1, 0, 1, 10, 29, 31, 45, 90, 400].map((days) => new Date(Date.now() + days * DAY))

/** Computes each partner entry by entry, and all of them together from statistics and payouts. */
async function bothWays(tx: Queryable) {
  const terms = await getPayoutTerms(tx, account)
  const at = tx.now.toISOString()
  const read = (who: string[] | 'all') => tx.many<PartnerBalance>`
    select ${balanceColumns} from ${partnerBalances(terms, tx.now, who)} t order by t.partner_id`
  const each = await read(partnerIds)
  const days = await findDueDays(tx, terms, partnerIds)
  const together = (await read('all')).map((standing) => {
    const its = days.get(standing.partnerId)
    const period = { periodStart: its?.periodStart ?? null, periodEnd: its?.periodEnd ?? null }
    return { ...standing, ...period, dueSince: standing.due > 0 ? (its?.dueSince ?? null) : null }
  })
  assert.deepEqual(together, each, at)
  assert.ok(each.length > 0)
  const dues = (of: Sql) => tx.many<Pick<PartnerBalance, 'partnerId' | 'due'>>`
    select partner_id, due from ${of} t where due <> 0 order by partner_id`
  const due = each.flatMap(({ partnerId, due }) => (due === 0 ? [] : [{ partnerId, due }]))
  assert.deepEqual(await dues(duesByPartner(account.id, tx.now)), due, at)
  const some = partnerIds.slice(1, 3)
  const ofSome = due.filter(({ partnerId }) => some.includes(partnerId))
  assert.deepEqual(await dues(duesByPartner(account.id, tx.now, some)), ofSome, at)
  const added = (among: Sql) => tx.value<number>`
    select (coalesce(sum(t.share), 0) + ${dueWithoutShare(account.id, tx.now, among)})::bigint from total_stats t
    where t.account_id = ${account.id} and t.partner_id <> ${NIL} and t.blueprint_id = ${NIL} and ${among}`
  const sumOf = (rows: { due: number }[]) => rows.reduce((sum, { due }) => sum + due, 0)
  assert.equal(await added(sql`true`), sumOf(due), at)
  assert.equal(await added(sql`t.partner_id = any(${some}::uuid[])`), sumOf(ofSome), at)
  const gathering = await tx.many<{ partnerId: string }>`
    select partner_id from payouts where account_id = ${account.id} and status = 'gathering'`
  assert.ok(gathering.length > 0)
  const ofThose = ({ partnerId }: Pick<PartnerBalance, 'partnerId'>) =>
    gathering.some((one) => one.partnerId === partnerId)
  const held = (one: Pick<PartnerBalance, 'partnerId' | 'due' | 'heldUntil'>[]) =>
    one.flatMap(({ partnerId, due, heldUntil }) => (due || heldUntil ? [{ partnerId, due, heldUntil }] : []))
  const gathered = await tx.many<Pick<PartnerBalance, 'partnerId' | 'due' | 'heldUntil'>>`
    select partner_id, due, held_until from (${partnerDuesSql(terms, tx.now, 'gathering')}) t order by partner_id`
  assert.deepEqual(held(gathered), held(each.filter(ofThose)), at)
}

test('many partners stand together where each stands alone, at any time', async () => {
  for (const now of moments) await bothWays({ ...db, now })
})

const changes = {
  'a sale on hold':
    'update sales set hold_rule = $$velocity$$, held_until = now() + interval $$20 days$$ where sequence = 1',
  'every sale disputed': 'update sales set disputed = true',
  'a payout that came back and frees its entries': `update payouts set status = 'returned' where status = 'paid';
    update payout_entries set live = false where payout_id in (select id from payouts where status = 'returned')`,
  'a payout that came back and keeps them': `update payouts set status = 'returned' where status = 'paid'`,
  'one that failed': `update payouts set status = 'failed' where status = 'approved'`,
}
for (const [what, statements] of Object.entries(changes))
  test(`so they do with ${what}`, async () => {
    const undone = new Error('undone')
    const work = transaction(asDatabaseOwner(db), async (tx) => {
      await tx.client.query('set local session_replication_role = replica')
      for (const statement of statements.split(';')) assert.ok((await tx.client.query(statement)).rowCount)
      for (const now of moments) await bothWays({ ...tx, now })
      throw undone
    })
    await assert.rejects(work, undone)
  })
