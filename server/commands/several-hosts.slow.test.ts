import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { aBackupFolder } from '../../test/support/backups.ts'
import { addressOfBoth, startPrimary, startStandby } from '../../test/support/standby.ts'
import { commands } from './contents.ts'

const script = fileURLToPath(new URL('../tributary.js', import.meta.url))
const primary = await startPrimary()
const standby = await startStandby(primary)
const folder = await aBackupFolder()
const env = { PATH: process.env.PATH, DATABASE_URL: addressOfBoth(primary, standby), DATA_DIR: folder }
/** `code` is null for one that had to be killed. */
const run = (...given: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  promisify(execFile)(process.execPath, [script, ...given], {
    ...{ env, timeout: 30_000, killSignal: 'SIGKILL', maxBuffer: 16_777_216 },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

/** Expected exit codes, in this order; runs that never end are left out. */
const runs: [code: number, ...given: string[]][] = [
  [0, 'migrate'],
  [0, 'admin', 'create', '--email', 'admin@acme.example'],
  [1, 'user', 'reset-password', 'nobody@acme.example'],
  [1, 'user', 'reset-second-factor', 'nobody@acme.example'],
  [1, 'erase', '--user', 'nobody@acme.example'],
  [0, 'verify-ledger'],
  [0, 'backup', `${folder}/tributary.zip`],
  [1, 'restore', `${folder}/tributary.zip`],
  [0, 'account', 'list'],
  [1, 'export', '00000000-0000-7000-8000-000000000000', `${folder}/account.zip`],
  [1, 'import', `${folder}/missing.zip`],
  [0, 'openapi'],
  [0, 'languages'],
  [1, 'spread'],
  ...Array.from({ length: 3 }, (): [number, string] => [0, 'rekey']),
  // this PostgreSQL writes without fsync
  ...Array.from({ length: 3 }, (): [number, string] => [1, 'doctor']),
]

test('with several hosts in DATABASE_URL every command works as with one, and ends', async () => {
  for (const [code, ...given] of runs) {
    const ended = await run(...given)
    assert.equal(ended.code, code, `${given.join(' ')}: ${ended.stderr || ended.stdout.slice(0, 2000)}`)
  }
  const named = new Set(runs.map(([, name]) => name))
  assert.deepEqual(
    Object.keys(commands).filter((name) => !named.has(name)),
    ['start', 'demo'],
  )
})
