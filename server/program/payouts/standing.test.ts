import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerHistory } from '../../../test/support/ledger-history.ts'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import { type Queryable, transaction } from '../../platform/database/pool.ts'
import { dueDaysOf, type Standing, standingColumns, standings } from './standing.ts'
import { termsOf } from './terms.ts'

const db = await freshDatabase()
const { account, partnerIds } = await ledgerHistory(db)

const DAY = 86_400_000
/** Before anything fell due, while some of it is held, and after every hold has ended. */
const moments = [-400, -1, 0, 1, 10, 29, 31, 45, 90, 400].map((days) => new Date(Date.now() + days * DAY))

/** Each partner worked out entry by entry, and all of them together from statistics and payouts. */
async function bothWays(tx: Queryable) {
  const terms = await termsOf(tx, account)
  const read = async (who: string[] | 'all' | 'gathering') => {
    const rows = await tx.many<Standing>`
      select ${standingColumns} from ${standings(terms, tx.now, who)} t order by t.partner_id`
    return rows
  }
  const gathering = await tx.many<{ partnerId: string }>`
    select partner_id from payouts where account_id = ${account.id} and status = 'gathering'`
  const few = gathering.map(({ partnerId }) => partnerId)
  for (const [who, ids] of [['all', partnerIds] as const, ['gathering', few] as const]) {
    const each = await read(ids)
    const days = await dueDaysOf(tx, terms, ids)
    const together = (await read(who)).map((standing) => {
      const its = days.get(standing.partnerId)
      const period = { periodStart: its?.periodStart ?? null, periodEnd: its?.periodEnd ?? null }
      return { ...standing, ...period, dueSince: standing.due > 0 ? (its?.dueSince ?? null) : null }
    })
    assert.deepEqual(together, each, `${who} at ${tx.now.toISOString()}`)
    assert.ok(each.length > 0)
  }
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
    const work = transaction(ownerOf(db), async (tx) => {
      await tx.client.query('set local session_replication_role = replica')
      for (const statement of statements.split(';')) assert.ok((await tx.client.query(statement)).rowCount)
      for (const now of moments) await bothWays({ ...tx, now })
      throw undone
    })
    await assert.rejects(work, undone)
  })
