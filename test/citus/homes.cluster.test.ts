import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHomes, type Homes } from '../../server/platform/database/cluster/homes.ts'
import { dropParts, prepareParts } from '../../server/platform/database/cluster/parts.ts'
import { remembersSpread } from '../../server/platform/database/cluster/spread.ts'
import { newId } from '../../server/platform/database/ids.ts'
import { lockKeys } from '../../server/platform/database/lock-keys.ts'
import { type Database, type Queryable, transaction } from '../../server/platform/database/pool.ts'
import type { NewClick } from '../../server/program/clicks/queries.ts'
import { recordClicks } from '../../server/program/clicks/record-clicks.ts'
import { verifyLedger } from '../../server/program/stats/verify.ts'
import { createCaller } from '../support/api.ts'
import { anAccount, aPartner, expectOk, startApp } from '../support/app.ts'
import { aBlueprint, visitLink } from '../support/links.ts'
import { asDatabaseOwner } from '../support/postgres.ts'

const app = await startApp()
const { db, homes } = app.services

const portOf = (db: Queryable) => db.value<number>`select current_setting('port')::int`

async function aVisitedAccount() {
  const account = await anAccount(app)
  const partner = await aPartner(app, account)
  const blueprint = await aBlueprint(app, account)
  assert.equal((await visitLink(app, blueprint.key, partner.referralCode)).status, 302)
  return {
    ...account,
    partnerId: partner.id,
    referralCode: partner.referralCode,
    blueprintId: blueprint.id,
    port: await homes.at([account.id], portOf),
  }
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

const clickOf = ({ id, partnerId, blueprintId }: Awaited<ReturnType<typeof aVisitedAccount>>): NewClick => ({
  ...{ id: newId(), accountId: id, partnerId, blueprintId, day: '2026-11-20', at: db.now, ipHash: null, isBot: false },
  ...{ userAgentClass: null, country: null, referrerHost: null, landingPath: null, linkId: null, paidParameters: null },
  ...{ subId: null, source: 'redirect' },
})
const record = (from: Homes, ...clicks: NewClick[]) =>
  from.at([...new Set(clicks.map(({ accountId }) => accountId))], (home) => recordClicks(home, clicks))
const schemaOf = (from: Queryable) =>
  from.value<string>`select relnamespace::regnamespace::text from pg_class where oid = 'clicks'::regclass`

test('an account is asked on the machine that holds it, within its part; accounts of several places on the first', async () => {
  const both = await oneOnEach()
  for (const account of both) {
    const { port, part } = await db.one<{ port: number; part: string }>`
      select nodeport as port, 'part_' || get_shard_id_for_distribution_column('partners', ${account.id}::uuid) as part
      from citus_shards where shardid = get_shard_id_for_distribution_column('clicks', ${account.id}::uuid)`
    assert.equal(account.port, port)
    assert.equal(await homes.at([account.id], schemaOf), part)
    assert.equal(await homes.read(account.id, schemaOf), part)
    assert.equal(await clicksOf(account), 1)
  }
  assert.deepEqual(await record(homes, ...both.map(clickOf)), [true, true])
  for (const account of both) assert.equal(await clicksOf(account), 2)
})

test('visits and reads follow an account that is moved, and none is lost', async () => {
  const [moved, other] = await oneOnEach()
  const outdated = createHomes(db)
  await record(outdated, clickOf(moved))
  let stored = 2
  let isOver = false
  const visiting = async () => {
    while (!isOver) {
      const kept = await record(homes, clickOf(moved))
      stored += kept.length
      await sleep(5)
    }
  }
  const visits = [visiting(), visiting()]
  await moveAccount(moved, moved.port, other.port).finally(() => {
    isOver = true
  })
  await Promise.all(visits)
  assert.ok(stored > 2)
  assert.equal(
    await outdated.read(
      moved.id,
      async (home) => (await home.many`select from clicks where account_id = ${moved.id}`).length,
    ),
    stored,
  )
  await record(outdated, clickOf(moved))
  assert.equal(await clicksOf(moved), stored + 1)
  assert.equal(await outdated.at([moved.id], portOf), other.port)
  assert.match(await outdated.at([moved.id], schemaOf), /^part_/)

  await moveAccount(moved, other.port, moved.port)
  await record(outdated, clickOf(moved))
  assert.equal(await outdated.at([moved.id], portOf), moved.port)
  assert.match(await outdated.at([moved.id], schemaOf), /^part_/)
  assert.equal(await clicksOf(moved), stored + 2)
  await outdated.close()
})

/** Moves the account's shards from one machine to another. */
async function moveAccount({ id }: { id: string }, from: number, to: number) {
  const client = await asDatabaseOwner(db).pool.connect()
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await client.query(
      `select citus_move_shard_placement(get_shard_id_for_distribution_column('partners', $1::uuid),
        '127.0.0.1', $2, '127.0.0.1', $3)`,
      [id, from, to],
    )
  } finally {
    client.release(true)
  }
}

test('the first transaction in a place knows what it is, so that its locks are sent before what they protect', async () => {
  const account = await aVisitedAccount()
  const fresh = createHomes(db)
  assert.equal(await fresh.at([account.id], async (home) => remembersSpread(home)), false)
  await fresh.close()
  await dropParts(asDatabaseOwner(db))
  const partless = createHomes(db)
  assert.equal(await partless.at([account.id], async (home) => remembersSpread(home)), true)
  await partless.close()
  await prepareParts(asDatabaseOwner(db))
})

test('a name of an account is locked once, within its part and by the coordinator', async () => {
  const account = await aVisitedAccount()
  const key = [{ accountId: account.id, name: 'one' }]
  const lockIn = (work: () => Promise<void>) => async (place: Database) =>
    transaction(place, async (tx) => {
      await lockKeys(tx, key)
      await work()
    })
  const places = [
    (work: () => Promise<void>) => homes.at([account.id], lockIn(work)),
    (work: () => Promise<void>) => lockIn(work)(db),
  ]
  for (const [first, second] of [places, places.toReversed()] as const) {
    const order: string[] = []
    const waited = Promise.withResolvers<void>()
    await first!(async () => {
      void second!(async () => void order.push('second')).then(waited.resolve, waited.reject)
      await sleep(300)
      order.push('first')
    })
    await waited.promise
    assert.deepEqual(order, ['first', 'second'])
  }
})

test('sales follow an account that is moved: each is booked once, whichever way it comes', async () => {
  const [moved, other] = await oneOnEach()
  const { apiKey } = await createCaller(app, moved.token).put(`/accounts/${moved.id}/api-key`)
  const sale = (externalId: string) => ({
    ...{ externalId, amount: 10_00, email: `${externalId}@example.com`, referralCode: moved.referralCode },
  })
  const push = (externalId: string, headers: Record<string, string> = {}) =>
    app.api('POST', '/push/sales', { token: apiKey, body: sale(externalId), headers })
  let isOver = false
  let pushed = 0
  const pushing = async (lane: number) => {
    for (; !isOver; pushed++) {
      const externalId = `${lane}-${pushed}`
      // with a key it is booked beside its idempotency, by the coordinator
      const both = await Promise.all([push(externalId), push(externalId, { 'idempotency-key': externalId })])
      const statuses = both.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [200, 201])
    }
  }
  const lanes = [pushing(1), pushing(2)]
  await moveAccount(moved, moved.port, other.port)
    .then(() => moveAccount(moved, other.port, moved.port))
    .finally(() => {
      isOver = true
    })
  await Promise.all(lanes)
  assert.ok(pushed > 4)
  const { body: stats } = expectOk(await app.api('GET', `/accounts/${moved.id}/stats`, { token: moved.token }))
  assert.equal(stats.salesRevenue, pushed * 10_00)
  assert.equal(await db.value<number>`select count(*) from sales where account_id = ${moved.id}`, pushed)
  assert.deepEqual(await verifyLedger(asDatabaseOwner(db)), [])
})

test('while there are no parts, as during a migration, the machines answer by Citus', async () => {
  const account = await aVisitedAccount()
  const owner = asDatabaseOwner(db)
  await dropParts(owner)
  await record(homes, clickOf(account))
  assert.equal(await homes.at([account.id], schemaOf), 'public')
  assert.equal(await clicksOf(account), 2)
  await prepareParts(owner)
  const later = createHomes(db)
  assert.match(await later.read(account.id, schemaOf), /^part_/)
  assert.equal(await clicksOf(account), 2)
  await later.close()
})

test('the start lets a machine make its parts later also where there is none to make yet', async () => {
  const owner = asDatabaseOwner(db)
  const role = await db.value<string>`select current_user::text`
  const onEach = async (statement: string) => {
    const rows = await owner.many<{ result: string }>`select result from run_command_on_workers(${statement})`
    return [...new Set(rows.map(({ result }) => result))]
  }
  const mayMake = () => onEach(`select has_schema_privilege('${role}', 'parts', 'usage')`)
  assert.deepEqual(await onEach(`revoke usage on schema parts from "${role}"`), ['REVOKE'])
  assert.deepEqual(await mayMake(), ['f'])
  await prepareParts(owner)
  assert.deepEqual(await mayMake(), ['t'])
})

test('the coordinator answers for a machine that can’t be reached', async () => {
  const { id } = await anAccount(app)
  const apart: Database = Object.create(db, { beside: { value: () => db.beside('postgres://127.0.0.1:9/none') } })
  const unreached = createHomes(apart)
  assert.equal(await unreached.at([id], portOf), await portOf(db))
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
