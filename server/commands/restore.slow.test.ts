import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { aBackupFolder, openFor } from '../../test/support/backups.ts'
import { type Ledger, ledgerServices } from '../../test/support/ledger.ts'
import { ledgerHistory } from '../../test/support/ledger-history.ts'
import { emptyDatabase, freshDatabase } from '../../test/support/postgres.ts'
import { type BackupManifest, combineDigests } from '../platform/backups/manifest.ts'
import { openBackup } from '../platform/backups/open-archive.ts'
import { writeArchive } from '../platform/backups/write-archive.ts'
import { checkKey, findKeyCheck, isDatabaseKey } from '../platform/database/key-check.ts'
import { type Database, transaction } from '../platform/database/pool.ts'
import { createSecrets } from '../platform/database/secrets.ts'
import { getSeries } from '../program/invoicing/series.ts'
import { pausedSince } from '../program/payouts/payout-terms.ts'
import type { ReadBackJob } from '../program/payouts/queue.ts'
import { confirmReconciliation } from '../program/payouts/reconciliation/confirm.ts'
import { readBack } from '../program/payouts/reconciliation/read-back.ts'
import { isInstallPaused } from '../program/payouts/reconciliation/reconcile-transfers.ts'

const script = fileURLToPath(new URL('../tributary.js', import.meta.url))
const key = randomBytes(32)
const environment = (url: string, folder: string, given: object = {}) => ({
  ...{ PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY: key.toString('base64') },
  ...given,
})

type Outcome = { code: number; stdout: string; stderr: string }
const run = (env: NodeJS.ProcessEnv, ...given: string[]): Promise<Outcome> =>
  promisify(execFile)(process.execPath, [script, ...given], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

/** Kills the command without warning at that point. */
async function killed(env: NodeJS.ProcessEnv, given: string[], isFar: (output: string) => Promise<boolean>) {
  const child = spawn(process.execPath, [script, ...given], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', (piece) => {
    output += piece
  })
  const gone = once(child, 'exit')
  while (child.exitCode === null && !(await isFar(output))) await new Promise((resolve) => setTimeout(resolve, 2))
  child.kill('SIGKILL')
  const [code, signal] = await gone
  assert.equal(signal, 'SIGKILL', `it ended before it was killed: ${code}`)
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

async function anInstallThatTells(): Promise<{ db: Database; ledger: Ledger }> {
  const db = await freshDatabase()
  const ledger = await ledgerHistory(db)
  await checkKey(db, createSecrets(key))
  const { id } = ledger.account
  await db.run`
    insert into outgoing_webhooks (id, account_id, name, url, events, secret_sealed, enabled, created_at, updated_at)
    values (gen_random_uuid(), ${id}, 'CRM', 'https://crm.example', '{*}', 'sealed'::bytea, true, now(), now())`
  return { db, ledger }
}

test('a restored install notifies no one until the owner has reviewed it, even an owner who pays by hand', async () => {
  const { db, ledger } = await anInstallThatTells()
  const folder = await aBackupFolder()
  const file = join(folder, 'one.zip')
  const written = await run(environment(db.url, folder), 'backup', file, '--json')
  assert.deepEqual([written.code, written.stderr], [0, ''])
  const { digest } = JSON.parse(written.stdout)

  const target = await emptyDatabase()
  const restored = await run(environment(target, folder), 'restore', file)
  assert.deepEqual([restored.code, restored.stderr], [0, ''])
  assert.match(restored.stdout, new RegExp(`Digest: ${digest}\n`))
  assert.match(
    restored.stdout,
    /The ledger is consistent\.\n.*are paused until the owner of an account resumes them: Payouts/,
  )

  const copy = openFor(target)
  assert.notEqual(
    await findKeyCheck(copy),
    await findKeyCheck(db),
    'the backups of one are not taken for those of the other',
  )
  assert.equal(await isDatabaseKey(copy, createSecrets(key)), true)
  const paused = async () => (await copy.one<{ paused: boolean }>`select ${isInstallPaused()} as paused`).paused
  assert.equal(await paused(), true)
  assert.equal((await getSeries(copy, ledger.account.id)).unsure, true)
  const services = { ...ledgerServices(copy), secrets: createSecrets(key) }
  const { account, actor } = ledger
  const { data } = await copy.one<{ data: ReadBackJob }>`select data from pgboss.job where name = 'read-back-payouts'`
  await readBack(services, data)
  const confirmed = { ...actor, confirmedAt: new Date().toISOString() }
  after(() => services.jobs.stop({ graceful: false }))
  after(() => services.outbound.close())
  await transaction(copy, (tx) => confirmReconciliation(tx, services.jobs, confirmed, account, { decisions: [] }))
  assert.equal(await pausedSince(copy, account.id), null)
  assert.equal(await paused(), false)
})

/** Returns the archive changed without the key, with matching digests. */
async function forged(file: string, change: (manifest: BackupManifest, texts: Map<string, string>) => void) {
  const archive = await openBackup(file)
  const texts = new Map<string, string>()
  for (const name of Object.keys(archive.manifest.tables)) {
    const pieces: Buffer[] = []
    for await (const piece of archive.read(name)) pieces.push(piece)
    texts.set(name, Buffer.concat(pieces).toString())
  }
  archive.close()
  const manifest = structuredClone(archive.manifest)
  change(manifest, texts)
  const path = `${file}.${randomBytes(4).toString('hex')}`
  const parts = [...texts].map(([name, text]) => ({
    ...{ name, columns: manifest.tables[name]!.columns },
    read: () => Readable.from([Buffer.from(text)]),
  }))
  await writeArchive(path, parts, (tables) => ({ ...manifest, tables, digest: combineDigests(tables) }))
  return path
}

test('a backup that was changed is not restored even with matching checksums, nor is one without its signature', async () => {
  const { db, ledger } = await anInstallThatTells()
  const folder = await aBackupFolder()
  const file = join(folder, 'one.zip')
  await run(environment(db.url, folder), 'backup', file)
  const restoring = async (path: string, ...given: string[]) =>
    run(environment(await emptyDatabase(), folder), 'restore', path, ...given)
  const addAdministrator = (_: BackupManifest, texts: Map<string, string>) => {
    const line = texts.get('user_roles')!.split('\n')[0] ?? ''
    texts.set('user_roles', `${texts.get('user_roles')}${line.replace('account-owner', 'admin')}\n`)
  }
  const { actor } = ledger
  await db.run`insert into user_roles (user_id, type, account_id, created_at)
    values (${actor.userId}, 'account-owner', ${ledger.account.id}, now()) on conflict do nothing`
  await run(environment(db.url, folder), 'backup', `${file}.2`)
  const changed = await forged(`${file}.2`, addAdministrator)
  const outcome = await restoring(changed, '--unsigned', '--despite-differences')
  assert.equal(outcome.code, 1)
  assert.match(outcome.stderr, /^The backup was changed after it was written/)
  const earlier = await forged(file, (manifest) => {
    manifest.createdAt = new Date(Date.parse(manifest.createdAt) + 1000).toISOString()
  })
  assert.match((await restoring(earlier)).stderr, /was changed after it was written/)
  const unsigned = await forged(`${file}.2`, (manifest, texts) => {
    addAdministrator(manifest, texts)
    manifest.signature = null
  })
  assert.match((await restoring(unsigned)).stderr, /^The backup isn’t signed/)
  const keyless = await forged(file, (manifest) => {
    Object.assign(manifest, { keyCheck: null, signature: null })
  })
  assert.match((await restoring(keyless)).stderr, /^The backup isn’t signed/)

  const old = await forged(file, (manifest) => {
    manifest.signature = undefined
  })
  assert.match((await restoring(old)).stderr, /restore it with --unsigned\./)
  assert.equal((await restoring(old, '--unsigned')).code, 0)
  const check = async (path: string, env: NodeJS.ProcessEnv) => (await run(env, 'restore', path, '--check')).stdout
  const withKey = environment(db.url, folder)
  assert.match(await check(file, withKey), /its signature is valid/)
  assert.match(
    await check(await forged(file, () => {}), withKey),
    /its signature is valid/,
    'packed anew, it says the same',
  )
  assert.match(await check(file, { PATH: process.env.PATH, DATA_DIR: folder }), /wasn’t checked/)
  assert.match(await check(old, withKey), /It isn’t signed/)
})

test('sessions, tokens and links invalidated since a backup stay invalid, and the keys that work again are named', async () => {
  const { db, ledger } = await anInstallThatTells()
  const { userId } = ledger.actor
  const accountId = ledger.account.id
  await db.run`insert into user_roles (user_id, type, created_at) values (${userId}, 'admin', now())`
  await db.run`
    insert into sessions (id, user_id, access_hash, access_expires_at, created_at, last_used_at, expires_at)
    values (gen_random_uuid(), ${userId}, 'a'::bytea, now() + interval '1 day', now(), now(), now() + interval '9 days')`
  await db.run`
    insert into user_tokens (id, user_id, name, token_hash, last_four, created_at)
    values (gen_random_uuid(), ${userId}, 'Assistant', 'b'::bytea, 'abcd', now())`
  await db.run`
    insert into password_resets (id, user_id, token_hash, created_at, expires_at)
    values (gen_random_uuid(), ${userId}, 'c'::bytea, now(), now() + interval '1 hour')`
  await db.run`
    insert into invitations (id, kind, email, user_id, shareable, token_hash, last_sent_at, expires_at, created_at, updated_at)
    values (gen_random_uuid(), 'administrator', 'ops@install.example', ${userId}, false, 'd'::bytea, now(),
      now() + interval '7 days', now(), now())`
  await db.run`
    insert into api_keys (id, account_id, name, rights, key_hash, last_four, created_at)
    values (gen_random_uuid(), ${accountId}, 'Billing', '{read}', 'e'::bytea, 'wxyz', now())`
  await db.run`
    insert into portal_sessions (account_id, id, partner_id, key_id, actor_id, kind, token_hash, created_at, expires_at)
    values (${accountId}, gen_random_uuid(), ${ledger.partnerIds[0]!}, gen_random_uuid(), gen_random_uuid(), 'frame',
      'f'::bytea, now(), now() + interval '1 hour')`
  const folder = await aBackupFolder()
  const file = join(folder, 'one.zip')
  await run(environment(db.url, folder), 'backup', file)
  const target = await emptyDatabase()
  const { code, stdout } = await run(environment(target, folder), 'restore', file)
  assert.equal(code, 0)
  assert.match(stdout, /Everyone must sign in again/)
  assert.match(stdout, new RegExp(`1 administrator at that time: owner@${accountId}\\.example\\.`))
  assert.match(stdout, /1 API key at that time, including any deleted since: Billing \(/)
  const copy = openFor(target)
  const left = await copy.one<Record<string, number>>`
    select (select count(*) from sessions where ended_at is null) as sessions, (select count(*) from user_tokens) as tokens,
      (select count(*) from password_resets) as resets, (select count(*) from portal_sessions where ended_at is null) as portals,
      (select count(*) from invitations where expires_at > now()) as invitations`
  assert.deepEqual(left, { sessions: 0, tokens: 0, resets: 0, portals: 0, invitations: 0 })
})

test('an obstacle to a restore is reported with its remedy, and nothing is created', async () => {
  const { db } = await anInstallThatTells()
  const folder = await aBackupFolder()
  const file = join(folder, 'one.zip')
  await run(environment(db.url, folder), 'backup', file)
  const target = await emptyDatabase()
  const half = join(folder, 'half.zip')
  await writeFile(half, (await readFile(file)).subarray(0, 9000))
  const fits = environment(target, folder)
  const other = { SECRET_KEY: randomBytes(32).toString('base64') }
  const refused: [env: NodeJS.ProcessEnv, given: string[], code: number, words: RegExp][] = [
    [
      environment(target, folder, { SECRET_KEY: '' }),
      ['restore', file],
      1,
      /and there is no key here\. Set SECRET_KEY/,
    ],
    [
      environment(target, folder, other),
      ['restore', file],
      1,
      /secret key [0-9a-f]{8}, and the key here is [0-9a-f]{8}/,
    ],
    [fits, ['restore', half], 1, /only the beginning of one/],
    [fits, ['restore', half, '--check', '--json'], 1, /^\{"error":\{"message":/],
    [fits, ['restore', `${file}.gone`], 1, /There is no file or folder/],
    [fits, ['restore'], 64, /missing required argument 'file'/],
    [environment(db.url, folder), ['restore', file], 1, /^The database isn’t empty/],
    [environment(db.url, folder), ['backup', file], 1, /one\.zip already exists/],
  ]
  for (const [env, given, code, words] of refused) {
    const outcome = await run(env, ...given)
    assert.equal(outcome.code, code, given.join(' '))
    assert.match(outcome.stderr, words)
  }
  assert.equal(await isThere(join(folder, 'secret.key')), false)
  const checked = await run({ PATH: process.env.PATH }, 'restore', file, '--check')
  assert.deepEqual([checked.code, checked.stderr], [0, ''])
})

test('a backup or restore killed midway leaves nothing that looks complete', async () => {
  const { db } = await anInstallThatTells()
  const folder = await aBackupFolder()
  const file = join(folder, 'one.zip')
  const env = environment(db.url, folder)
  await killed(env, ['backup', file], () => isThere(`${file}.part`))
  assert.equal(await isThere(file), false)
  const again = await run(env, 'backup', file)
  assert.match(again.stderr, /one\.zip\.part is there: .* Delete it if none is\./)
  const whole = join(folder, 'two.zip')
  assert.equal((await run(env, 'backup', whole)).code, 0)

  const target = environment(await emptyDatabase(), folder)
  await killed(target, ['restore', whole], async (output) => output.includes('sales:'))
  const restored = await run(target, 'restore', whole)
  assert.deepEqual([restored.code, restored.stderr], [0, ''])
})
