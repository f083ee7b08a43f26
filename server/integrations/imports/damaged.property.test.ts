import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Import, ImportKind } from '#contract/imports.ts'
import { anAccount, aPartner, expectOk, startApp, type TestAccount, turnableClock } from '../../../test/support/app.ts'
import { LONGEST_HOLD_MS, longestHold } from '../../../test/support/hold.ts'
import { numberOfRuns } from '../../../test/support/model-test.ts'
import { verifyLedger } from '../../program/stats/verify.ts'
import { processImport } from './run-import.ts'

// A failure prints its seed and the least damage that leads to it.
const SEED = 20_261_129
const RUNS = numberOfRuns(10)

const folder = new URL('../../../test/fixtures/files/', import.meta.url)
const { files } = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as {
  files: Record<string, { kind: ImportKind }>
}
const names = Object.keys(files)

const app = await startApp({ clock: turnableClock('2026-11-28T12:00:00Z') })

/** A place is a part of the file’s length in millionths. */
type Damage =
  | { what: 'byte'; place: number; value: number }
  | { what: 'cut'; place: number; length: number }
  | { what: 'row'; place: number }
  | { what: 'twice'; place: number; length: number }
  | { what: 'joined'; with: string }

const place = fc.integer({ min: 0, max: 999_999 })
const anyDamage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ what: fc.constant('byte' as const), place, value: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ what: fc.constant('cut' as const), place, length: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ what: fc.constant('row' as const), place }),
  fc.record({ what: fc.constant('twice' as const), place, length: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ what: fc.constant('joined' as const), with: fc.constantFrom(...names) }),
)
const anyFile = fc.record({ name: fc.constantFrom(...names), damages: fc.array(anyDamage, { maxLength: 4 }) })

const bytesOf = (name: string) => readFileSync(new URL(name, folder))

function damaged(bytes: Buffer, damage: Damage): Buffer {
  if (bytes.length === 0) return bytes
  if (damage.what === 'joined') return Buffer.concat([bytes, bytesOf(damage.with)])
  const at = Math.floor((bytes.length * damage.place) / 1_000_000)
  const without = (from: number, to: number) => Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  if (damage.what === 'cut') return without(at, at + damage.length)
  if (damage.what === 'twice') return Buffer.concat([bytes.subarray(0, at + damage.length), bytes.subarray(at)])
  if (damage.what === 'byte') return Buffer.from(bytes.with(at, damage.value))
  const from = bytes.lastIndexOf('\n', at) + 1
  const to = bytes.indexOf('\n', at)
  return without(from, to < 0 ? bytes.length : to + 1)
}

async function imported(account: TestAccount, body: object): Promise<Import | null> {
  const { token } = account
  const { status, body: started } = await app.api('POST', `/accounts/${account.id}/imports`, { token, body })
  assert.ok(status < 500, JSON.stringify(started))
  if (status !== 202) return null
  for (;;) {
    await processImport(app.services, { importId: started.id })
    const { body: now } = expectOk(await app.api('GET', `/imports/${started.id}`, { token }))
    if (!['waiting', 'running'].includes(now.state)) return now
  }
}

const KINDS = ['partners', 'leads', 'sales', 'payouts'] as const
async function counted({ id }: TestAccount) {
  const counts = KINDS.map((kind) => app.services.db.pool.query(`select from ${kind} where account_id = $1`, [id]))
  return (await Promise.all(counts)).map(({ rowCount }) => rowCount!)
}

/** Returns what an import tells of a file, the same in a dry run. */
const describeImport = ({
  state,
  reason,
  created,
  skipped,
  failed,
  totals,
  settled,
  assigned,
  errors,
  skips,
  read,
}: Import) => ({
  ...{ state, reason, created, skipped, failed, totals, settled, assigned, errors, skips, read },
})

async function madeBy(account: TestAccount, { id }: Import) {
  const rows = await app.services.db.many<{ made: { type: string; id: string }[] }>`
    select made from import_rows where account_id = ${account.id} and import_id = ${id} and outcome = 'created'`
  return new Set(rows.flatMap(({ made }) => made).map(({ type, id }) => `${type} ${id}`))
}

test('of damaged files an import makes what its dry run said and nothing else, and none of them fails the server', async () => {
  await fc.assert(
    fc.asyncProperty(anyFile, async ({ name, damages }) => {
      const account = await anAccount(app, { payoutDelay: 0, defaultCommissionSettings: { layerRates: [20] } })
      for (const one of ['jane@whitfield', 'sam@ortiz'])
        await aPartner(app, account, { email: `${one}.example`, referralCode: one.split('@')[0] })
      const file = damages.reduce(damaged, bytesOf(name)).toString('base64')
      if (file === '') return
      const { kind } = files[name]!
      const held = await longestHold(async () => {
        const preview = await app.api('POST', `/accounts/${account.id}/imports/preview`, {
          ...{ token: account.token, body: { kind, file } },
        })
        assert.ok(preview.status < 500, JSON.stringify(preview.body))
        const before = await counted(account)
        const dry = await imported(account, { kind, file, dryRun: true })
        assert.deepEqual(await counted(account), before, 'a dry run makes nothing')
        const done = await imported(account, { kind, file, dryRun: false })
        assert.deepEqual(done && describeImport(done), dry && describeImport(dry))
        const after = await counted(account)
        const made = done ? await madeBy(account, done) : new Set<string>()
        for (const [at, one] of KINDS.entries()) {
          const own = [...made].filter((each) => each.startsWith(`${one.slice(0, -1)} `)).length
          assert.equal(after[at]! - before[at]!, own, `${one} that no row made`)
        }
      })
      assert.ok(held < LONGEST_HOLD_MS, `held for ${held} ms`)
      assert.deepEqual(await verifyLedger(app.services.db), [])
    }),
    { seed: SEED, numRuns: RUNS },
  )
})
