import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startApp } from '../../test/support/app.ts'
import { aBackupFolder } from '../../test/support/backups.ts'
import { ledgerHistory } from '../../test/support/ledger-history.ts'
import { paypalInstalls, workOn } from '../../test/support/paypal-payouts.ts'
import { freshDatabase } from '../../test/support/postgres.ts'

const script = fileURLToPath(new URL('../tributary.js', import.meta.url))
const db = await freshDatabase()
const { account } = await ledgerHistory(db)
const env = { PATH: process.env.PATH, DATABASE_URL: db.url, DATA_DIR: await aBackupFolder() }

/** Returns the digest that the command prints for the account. */
async function digest(version: number, ...given: string[]) {
  const command = [script, 'verify-ledger', '--digest', ...given]
  // an inconsistent ledger has a digest too
  const { stdout } = await promisify(execFile)(process.execPath, command, { env }).catch((error) => error)
  const [first, ...lines] = stdout.slice(stdout.indexOf('Ledger digests')).trim().split('\n')
  assert.equal(first, `Ledger digests, version ${version}:`)
  const [, id, hash] = /^(\S+) ([0-9a-f]{64})$/.exec(lines[0]!)!
  assert.equal(id, account.id)
  return hash
}

test('the digest is of what an erasure keeps, and with 1 of the personal columns too', async () => {
  const [now, before] = [await digest(2), await digest(1, '1')]
  assert.notEqual(now, before)
  await db.run`update sales set description = 'Canary seeds' where account_id = ${account.id}`
  assert.equal(await digest(2), now)
  assert.notEqual(await digest(1, '1'), before)
  await db.run`update sales set sequence = sequence + 1 where account_id = ${account.id}`
  assert.notEqual(await digest(2), now)
})

test('the known payments of PayPal are read back, and an account that can’t be read is told apart', async () => {
  const secretKey = randomBytes(32)
  const app = await startApp({ config: { logLevel: 'silent', secretKey } })
  const { anInstall, anApproved } = paypalInstalls(app)
  const install = await anInstall({ autoProgress: false })
  const { paypal, account } = install
  await workOn(app.services, await anApproved(install))
  async function verify() {
    const own = {
      ...env,
      ...{ DATABASE_URL: app.services.db.url, SECRET_KEY: secretKey.toString('base64'), PAYPAL_API_URL: paypal.url },
    }
    const command = [script, 'verify-ledger', '--paypal', '--json']
    const ran = await promisify(execFile)(process.execPath, command, { env: own }).catch((error) => error)
    const { differences, unread } = JSON.parse(ran.stdout)
    return { code: ran.code ?? 0, differences, unread }
  }
  assert.deepEqual(await verify(), { code: 0, differences: [], unread: [] })
  const [batch] = paypal.payouts.batches.values()
  batch!.item.value = '1.00'
  const differs = await verify()
  assert.equal(differs.code, 1)
  assert.deepEqual(
    differs.differences.map(({ check }: { check: string }) => check),
    ['PayPal pays the amount that was approved'],
  )
  paypal.fail('POST /v1/oauth2/token', { status: 503 }, 5)
  const away = await verify()
  assert.deepEqual([away.code, away.differences], [2, []])
  assert.deepEqual(
    away.unread.map(({ accountId }: { accountId: string }) => accountId),
    [account.id],
  )
})
