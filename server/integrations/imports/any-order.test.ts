import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, aPartner, expectOk, startApp, turnableClock } from '../../../test/support/app.ts'
import { listSeeds, randomFrom } from '../../../test/support/model-test.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { processImport } from './run-import.ts'

// Sales of a file, some of which name no partner, in any order: what each earns depends on no row's place.

const app = await startApp({ clock: turnableClock('2026-03-10T12:00:00Z'), config: { rateLimitFactor: 1000 } })

type Line = { id: string; customer: string; named: boolean; amount: number; day: string }

async function aProgram() {
  const account = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] }, selfReferralPolicy: 'allow' })
  const { token } = account
  const partner = await aPartner(app, account)
  const start = async (lines: Line[], dryRun = false): Promise<string> => {
    const rows = lines.map(({ id, customer, named, amount, day }) =>
      [id, customer, named ? partner.email : '', (amount / 100).toFixed(2), day].join(),
    )
    const csv = ['External ID,Email,Partner Email,Amount,Date', ...rows].join('\n')
    const body = { kind: 'sales', csv, dryRun }
    return expectOk(await app.api('POST', `/accounts/${account.id}/imports`, { token, body })).body.id
  }
  const run = async (lines: Line[], dryRun = false) => {
    const id = await start(lines, dryRun)
    const turn = async () => {
      await processImport(app.services, { importId: id })
      return expectOk(await app.api('GET', `/imports/${id}`, { token })).body
    }
    let done = await turn()
    // a busy machine needs several turns
    while (done.state === 'running') done = await turn()
    assert.deepEqual([done.state, done.errors], ['done', []])
    return [done.created, done.skipped, done.failed, done.assigned]
  }
  const credited = async () => {
    const rows = await app.services.db.many<{ externalId: string }>`
      select external_id from sales where account_id = ${account.id} and partner_id is not null order by 1`
    return rows.map(({ externalId }) => externalId)
  }
  return { account, partner, start, run, credited }
}

const line = (id: string, named: boolean, amount: number, day: string, customer = 'k@c.example'): Line => ({
  ...{ id, customer, named, amount, day },
})

test('a sale without a partner is its customer’s partner’s from the first one that names them, however far apart they are', async () => {
  const later = line('a1', false, 100_00, '2026-02-10')
  const before = line('a0', false, 70_00, '2026-01-10')
  const named = line('a2', true, 50_00, '2026-02-01')
  const others = Array.from({ length: 400 }, (_, at) => line(`o${at}`, false, 1_00, '2026-02-01', `o${at}@c.example`))
  for (const lines of [
    [before, later, named],
    [later, ...others, before, named],
    [named, ...others, later, before],
  ]) {
    const { account, partner, run, credited } = await aProgram()
    const looked = await run(lines, true)
    assert.deepEqual(await run(lines), looked)
    assert.deepEqual(await credited(), ['a1', 'a2'])
    const { body } = expectOk(await app.api('GET', `/partners/${partner.id}/balance`, { token: account.token }))
    assert.equal(body.due + body.held, 30_00)
    assert.deepEqual(await run(lines), [0, lines.length, 0, 0], 'a second time nothing is new')
  }
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

test('an import that began in another order of rows, as another version has it, goes on with those left', async () => {
  const { account, run, start, credited } = await aProgram()
  const lines = [
    line('b1', false, 10_00, '2026-02-02'),
    line('b2', true, 20_00, '2026-02-01'),
    line('b3', true, 5_00, '2026-02-01'),
  ]
  await run(lines.slice(0, 1))
  const id = await start(lines)
  await app.services.db.run`
    insert into import_rows (account_id, import_id, row, outcome, made) values (${account.id}, ${id}, 2, 'created', '[]')`
  await app.services.db.run`
    update imports set state = 'running', total = 3, done = 1, created = 1 where id = ${id} and account_id = ${account.id}`
  await Promise.all([1, 2].map(() => processImport(app.services, { importId: id })))
  const done = expectOk(await app.api('GET', `/imports/${id}`, { token: account.token })).body
  assert.deepEqual([done.state, done.created, done.done, await credited()], ['done', 3, 3, ['b2', 'b3']])
  assert.deepEqual(await verifyLedger(app.services.db), [])
})

for (const seed of listSeeds(1))
  test(`seed ${seed}: shuffled rows are credited as a plain model says`, async () => {
    const { between, chance, pick, shuffled } = randomFrom(seed)
    const lines = Array.from({ length: between(5, 40) }, (_, at) =>
      line(
        `s${at}`,
        chance(40),
        between(1, 90) * 100,
        `2026-0${pick([1, 2])}-1${between(0, 5)}`,
        `c${between(1, 6)}@c.example`,
      ),
    )
    const expected = lines.filter(
      (one) =>
        one.named || lines.some(({ named, customer, day }) => named && customer === one.customer && day <= one.day),
    )
    for (const order of [lines, shuffled(lines)]) {
      const { run, credited } = await aProgram()
      const looked = await run(order, true)
      assert.deepEqual(await run(order), looked)
      assert.deepEqual(
        await credited(),
        expected.map(({ id }) => id).sort(),
        order.map((one) => JSON.stringify(one)).join('\n'),
      )
    }
    assert.deepEqual(await verifyLedger(app.services.db), [])
  })
