import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp } from '../../../test/support/app.ts'
import { system } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { emitSaleEvents } from './emit-sale-events.ts'

const app = await startApp()
const { db } = app.services

test('events of many sales are written a thousand at a time', async () => {
  const account = await anAccount(app)
  const call = async (path: string, body: object) =>
    expectOk(await app.api('POST', path, { token: account.token, body })).body
  const partnerId = (await aPartner(app, account)).id
  const lead = await call(`/accounts/${account.id}/leads`, { partnerId, email: 'a@shop.example' })
  const { id } = await call(`/leads/${lead.id}/sales`, { amount: 10_00 })
  const updated = { by: system, accountId: account.id, type: 'sale.updated' as const, id }
  await transaction(db, (tx) =>
    emitSaleEvents(
      tx,
      Array.from({ length: 2500 }, () => updated),
    ),
  )
  const sizes = await db.many<{ count: number }>`
    select count(*) as count from passing_events
    where account_id = ${account.id} and type = 'sale.updated' group by cmin::text order by 1`
  assert.deepEqual(
    sizes.map(({ count }) => count),
    [500, 1000, 1000],
  )
})
