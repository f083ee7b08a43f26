import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { freshDatabase, ownerOf } from '../../../test/support/postgres.ts'
import { newId } from '../../platform/database/ids.ts'
import { transaction } from '../../platform/database/pool.ts'

const folder = new URL('../../platform/database/migrations/', import.meta.url)
const MIGRATION = '0015-provider-shops-and-corrections.sql'

test('what connections were told before moves to their shops: each thing once, and what was dropped is looked at again', async () => {
  const db = ownerOf(await freshDatabase())
  await transaction(db, async (tx) => {
    await tx.client.query('create schema former')
    await tx.client.query('set local search_path to former, public')
    for (const name of (await readdir(folder)).sort().filter((file) => file.endsWith('.sql') && file < MIGRATION))
      await tx.client.query(await readFile(new URL(name, folder), 'utf8'))

    const accountId = newId()
    await tx.run`
      insert into accounts (id, public_id, created_at, updated_at) values (${accountId}, ${accountId}, ${tx.now}, ${tx.now})`
    const saleId = newId()
    const connect = async (shop: string | null, day: number, ended: boolean, livemode = false) => {
      const id = newId()
      const at = `2026-03-0${day}T00:00:00Z`
      await tx.run`
        insert into provider_connections (id, account_id, provider, method, provider_account_id, livemode, hook_key,
          disconnected_at, created_at, updated_at)
        values (${id}, ${accountId}, 'stripe', 'credentials', ${shop}, ${livemode}, ${id}, ${ended ? at : null}, ${at}, ${at})`
      return id
    }
    const tell = async (connectionId: string, externalId: string, type: string, state: string) => tx.run`
      insert into provider_events (id, connection_id, external_id, type, at, body, state, received_at)
      values (${newId()}, ${connectionId}, ${externalId}, ${type}, ${tx.now}, '{}', ${state}, ${tx.now})`
    const see = async (connectionId: string, kind: string, rank: number) => tx.run`
      insert into provider_objects (connection_id, payment_key, kind, object_id, rank, at, data)
      values (${connectionId}, 'pi_1', ${kind}, 'x', ${rank}, ${tx.now}, ${JSON.stringify({ rank })}::jsonb)`
    const book = async (connectionId: string, credited: boolean, applied: object) => tx.run`
      insert into provider_payments (connection_id, payment_key, sale_id, credited, applied)
      values (${connectionId}, 'pi_1', ${saleId}, ${credited}, ${JSON.stringify(applied)}::jsonb)`

    const former = await connect('acct_1', 1, true)
    const present = await connect('acct_1', 2, false)
    const test_ = await connect('acct_2', 2, false)
    const live = await connect('acct_2', 1, true, true)
    const nameless = await Promise.all([connect(null, 1, true), connect(null, 2, false), connect(null, 3, false)])
    await tell(former, 'evt_1', 'charge.succeeded', 'failed')
    await tell(former, 'evt_2', 'charge.succeeded', 'processed')
    await tell(present, 'evt_2', 'charge.succeeded', 'failed')
    await tell(present, 'evt_3', 'refund.created', 'processed')
    await tell(former, 'evt_4', 'refund.created', 'processed')
    await see(former, 'charge', 1)
    await see(former, 'refund', 0)
    await see(present, 'refund', 1)
    const said = (status: string) => ({ status, amount: 1 })
    await book(former, true, { 'refund a': said('succeeded'), 'refund b': said('pending') })
    await book(present, false, { 'refund a': said('pending'), 'refund c': said('failed') })

    await tx.client.query(await readFile(new URL(MIGRATION, folder), 'utf8'))

    const shops = await tx.many<{ id: string; shopId: string; name: string | null; livemode: boolean }>`
      select c.id, c.shop_id, s.external_id as name, s.livemode from provider_connections c join provider_shops s on s.id = c.shop_id`
    const of = (id: string) => shops.find((shop) => shop.id === id)!.shopId
    assert.equal(of(former), of(present))
    assert.notEqual(of(test_), of(live))
    assert.equal(of(nameless[0]), of(nameless[1]), 'the ended one and the first that stands are taken for one')
    assert.notEqual(of(nameless[1]), of(nameless[2]), 'those that stand beside each other are not')
    assert.deepEqual(await tx.many`select external_id, state, waits_for from provider_events order by external_id`, [
      { externalId: 'evt_1', state: 'waiting', waitsFor: 'key' },
      { externalId: 'evt_2', state: 'processed', waitsFor: null },
      { externalId: 'evt_3', state: 'waiting', waitsFor: 'answer' },
      { externalId: 'evt_4', state: 'processed', waitsFor: null },
    ])
    assert.deepEqual(
      await tx.many`select kind, rank from provider_objects where shop_id = ${of(former)} order by kind`,
      [
        { kind: 'charge', rank: 1 },
        { kind: 'refund', rank: 1 },
      ],
    )
    const [booked, ...others] = await tx.many<{ credited: boolean; applied: Record<string, { status: string }> }>`
      select credited, applied from provider_payments where shop_id = ${of(present)}`
    assert.deepEqual(others, [])
    assert.equal(booked?.credited, true)
    assert.deepEqual(
      Object.entries(booked!.applied).map(([name, { status }]) => `${name} ${status}`),
      ['refund a succeeded', 'refund b pending', 'refund c failed'],
    )
  })
})
