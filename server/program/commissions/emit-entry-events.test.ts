import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, startApp } from '../../../test/support/app.ts'
import { bookDue } from '../../../test/support/payouts.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { emitEntryEvents } from './emit-entry-events.ts'

const app = await startApp()
const { db } = app.services

test('events of many entries are written a thousand at a time', async () => {
  const account = await anAccount(app)
  await bookDue(app, account, await aPartner(app, account), 10_00)
  const { id } = await db.one<{ id: string }>`select id from commission_entries where account_id = ${account.id}`
  const due = { by: system, accountId: account.id, type: 'commission.due' as const, id }
  await transaction(db, (tx) =>
    emitEntryEvents(
      tx,
      Array.from({ length: 2500 }, () => due),
    ),
  )
  const sizes = await db.many<{ count: number }>`
    select count(*) as count from passing_events
    where account_id = ${account.id} and type = 'commission.due' group by cmin::text order by 1`
  assert.deepEqual(
    sizes.map(({ count }) => count),
    [500, 1000, 1000],
  )
})
