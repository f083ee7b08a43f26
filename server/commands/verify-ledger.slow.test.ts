import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { aBackupFolder } from '../../test/support/backups.ts'
import { ledgerHistory } from '../../test/support/ledger-history.ts'
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
