import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHomes } from '../../server/platform/database/cluster/homes.ts'
import { newId } from '../../server/platform/database/ids.ts'
import type { Database, Queryable } from '../../server/platform/database/pool.ts'
import { recordClicks } from '../../server/program/clicks/record-clicks.ts'
import { anAccount, aPartner, expectOk, startApp } from '../support/app.ts'
import { aBlueprint, visitLink } from '../support/links.ts'

const app = await startApp()
const { db, homes } = app.services

const portOf = (db: Queryable) => db.value<number>`select current_setting('port')::int`

async function aVisitedAccount() {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const blueprint = await aBlueprint(app, account)
  assert.equal((await visitLink(app, blueprint.key, partner.referralCode)).status, 302)
  return { ...account, partnerId: partner.id, blueprintId: blueprint.id, port: await homes.at(account.id, portOf) }
}

async function clicksOf({ id, token }: { id: string; token: string }) {
  const counted = expectOk(await app.api('GET', `/accounts/${id}/stats`, { token })).body.numberOfClicks
  assert.equal(await db.value<number>`select count(*) from clicks where account_id = ${id}`, counted)
  return counted
}

/** Returns one account on each of two machines. */
async function oneOnEach() {
  const first = await aVisitedAccount()
  for (let tries = 0; tries < 20; tries++) {
    const second = await aVisitedAccount()
    if (second.port !== first.port) return [first, second] as const
  }
  throw new Error('every account is on one machine')
}

test('an account is asked on the machine that holds it; another machine, as after a move, answers as well', async () => {
  const [here, there] = await oneOnEach()
  for (const account of [here, there]) {
    const port = await db.value<number>`
      select nodeport from citus_shards where table_name = 'clicks'::regclass
        and shardid = get_shard_id_for_distribution_column('clicks', ${account.id}::uuid)`
    assert.equal(account.port, port)
    assert.equal(await clicksOf(account), 1)
  }
  const late = {
    ...{ id: newId(), accountId: here.id, partnerId: here.partnerId, blueprintId: here.blueprintId },
    ...{ day: '2026-11-20', at: db.now, ipHash: null, userAgentClass: null, country: null, referrerHost: null },
    ...{
      landingPath: null,
      linkId: null,
      paidParameters: null,
      subId: null,
      isBot: false,
      source: 'redirect' as const,
    },
  }
  assert.deepEqual(await homes.at(there.id, (other) => recordClicks(other, [late])), [true])
  assert.equal(await clicksOf(here), 2)
})

test('the coordinator answers for a machine that can’t be reached', async () => {
  const { id } = await anAccount(app)
  const apart: Database = Object.create(db, { beside: { value: () => db.beside('postgres://127.0.0.1:9/none') } })
  const unreached = createHomes(apart)
  assert.equal(await unreached.at(id, portOf), await portOf(db))
  await unreached.close()
})

test('a read of a machine that fails is answered by the coordinator, and so are those after it', async () => {
  const { id } = await anAccount(app)
  const own = createHomes(db)
  const fromCoordinator: boolean[] = []
  const read = () =>
    own.read(id, async (from) => {
      fromCoordinator.push(from === db)
      if (from !== db) throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
      return portOf(from)
    })
  for (let times = 0; times < 2; times++) assert.equal(await read(), await portOf(db))
  assert.deepEqual(fromCoordinator, [false, true, true])
  await own.close()
})
