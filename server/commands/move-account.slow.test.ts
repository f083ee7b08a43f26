import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { anAccount, aPartner, startApp } from '../../test/support/app.ts'
import { anArchivePath } from '../../test/support/archives.ts'
import { openFor } from '../../test/support/backups.ts'
import { emptyDatabase, freshDatabase } from '../../test/support/postgres.ts'
import { pendingMigrations } from '../platform/database/migrate.ts'

const script = fileURLToPath(new URL('../tributary.js', import.meta.url))
const KEY = Buffer.alloc(32, 7).toString('base64')

async function run(url: string, path: string, ...given: string[]) {
  const env = { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: dirname(path), SECRET_KEY: KEY }
  return promisify(execFile)(process.execPath, [script, ...given], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

test('npm run export and npm run import move an account, print the same digest, and explain refusals', async () => {
  const app = await startApp()
  const account = await anAccount(app, { name: 'Harbor Analytics' })
  await aPartner(app, account, { email: 'jane@whitfield.example' })
  const { db } = app.services
  const target = await freshDatabase()
  const path = await anArchivePath()

  const out = await run(db.url, path, 'export', account.id, path)
  assert.deepEqual([out.code, out.stderr], [0, ''])
  assert.match(out.stdout, /^Exporting \d+ rows …\nWritten to \S+account\.zip\. Ledger digest: [0-9a-f]{64}\n$/)
  assert.equal((await stat(path)).mode & 0o777, 0o600)

  const bytes = await readFile(path)
  const again = await run(db.url, path, 'export', account.id, path)
  assert.deepEqual([again.code, again.stdout.split('\n').length, again.stderr], [1, 2, `${path} already exists.\n`])
  assert.deepEqual(await readFile(path), bytes)

  const into = await run(target.url, path, 'import', path, '--invite-partners')
  assert.deepEqual([into.code, into.stderr], [0, ''])
  const [digest] = /[0-9a-f]{64}/.exec(out.stdout)!
  const lines = into.stdout.split('\n').filter((line: string) => !/^[a-z_]+: /.test(line))
  assert.deepEqual(lines, [
    `Imported Harbor Analytics (${account.id}). Ledger digest: ${digest}`,
    `${account.ownerEmail} is invited to own it.`,
    '1 partner invited.',
    '',
  ])

  const list = await run(db.url, path, 'account', 'list')
  assert.equal(list.stdout, `${account.id}  Harbor Analytics  ${account.ownerEmail}\n`)
  const listed = JSON.parse((await run(db.url, path, 'account', 'list', '--json')).stdout).accounts
  assert.deepEqual(listed, [
    { id: account.id, name: 'Harbor Analytics', ownerEmail: account.ownerEmail, disabledAt: null },
  ])

  const empty = await emptyDatabase()
  const lacking = (await pendingMigrations(openFor(empty))).length
  const LACKS = `The database lacks ${lacking} migrations of this release. Run npx tributary migrate or start the product, then try again.`
  const usage = "error: missing required argument 'file'\nnpx tributary --help lists all commands."
  const refused: [url: string, given: string[], code: number, words: string][] = [
    [target.url, ['import', path], 1, 'This account is already on this server.'],
    [target.url, ['import', `${path}.gone`], 1, `There is no file ${path}.gone.`],
    [target.url, ['import', `${path}.gone`, '--json'], 1, `{"error":{"message":"There is no file ${path}.gone."}}`],
    [
      db.url,
      ['export', 'nobody', `${path}.new`],
      1,
      'There is no account with the ID nobody. npx tributary account list shows all IDs.',
    ],
    [target.url, ['import', dirname(path)], 1, `There is no file ${dirname(path)}.`],
    [
      db.url,
      ['export', account.id, `${path}.gone/new`],
      1,
      `There is no file or folder ${path}.gone/new. Nothing was written.`,
    ],
    [empty, ['verify-ledger'], 1, LACKS],
    [empty, ['export', account.id, `${path}.new`], 1, LACKS],
    [empty, ['import', path], 1, LACKS],
    [empty, ['account', 'list'], 1, LACKS],
    [db.url, ['export', account.id], 64, usage],
  ]
  const answers = await Promise.all(refused.map(([url, given]) => run(url, path, ...given)))
  assert.deepEqual(
    answers.map(({ code, stderr }) => [code, stderr]),
    refused.map(([, , code, words]) => [code, `${words}\n`]),
  )
  await assert.rejects(stat(`${path}.new`))
})
