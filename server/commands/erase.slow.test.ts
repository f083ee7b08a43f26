import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { aBackupFolder, openFor } from '../../test/support/backups.ts'
import { aLedger, ledgerServices } from '../../test/support/ledger.ts'
import { emptyDatabase, freshDatabase } from '../../test/support/postgres.ts'
import { system } from '../platform/author.ts'
import { ERASED_LIST } from '../platform/backups/erased-list.ts'
import { checkKey } from '../platform/database/key-check.ts'
import { transaction } from '../platform/database/pool.ts'
import { createSecrets } from '../platform/database/secrets.ts'
import { eraseLead } from '../program/privacy/erase.ts'
import { runErasure } from '../program/privacy/run-erasure.ts'

const script = fileURLToPath(new URL('../tributary.js', import.meta.url))
const key = randomBytes(32)

type Outcome = { code: number; stdout: string; stderr: string }
const run = (env: NodeJS.ProcessEnv, ...given: string[]): Promise<Outcome> =>
  promisify(execFile)(process.execPath, [script, ...given], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

const folder = await aBackupFolder()
const environment = (url: string) => ({
  ...{ PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: folder, SECRET_KEY: key.toString('base64') },
  BACKUP_DIR: folder,
})
const db = await freshDatabase()
const base = ledgerServices(db)
const services = { ...base, secrets: createSecrets(key) }
const erasing = { ...services, config: { ...services.config, backups: { folder, everyHours: 24, keep: 7 } } }
after(() => base.jobs.stop({ graceful: false }))
after(() => base.outbound.close())
await checkKey(db, services.secrets)

test('a restore erases again whom the list names, warns without one, and the list may be given later', async () => {
  const ledger = await aLedger(services, { partners: [{}], leads: [{ partner: 0 }], rates: ['10'] })
  const { account } = ledger
  const { id } = await db.one<{ id: string }>`
    update leads set email = 'canary@mail.example' where account_id = ${account.id} returning id`
  const file = join(folder, 'one.zip')
  assert.equal((await run(environment(db.url), 'backup', file)).code, 0)
  const erasure = await transaction(db, (tx) => eraseLead(tx, erasing, system, account, id))
  await runErasure(erasing, { accountId: account.id, erasureIds: [erasure.id] })

  const emailIn = (url: string) => openFor(url).one`
    select email, erased_at is not null as is_erased from leads where account_id = ${account.id} and id = ${id}`
  const target = await emptyDatabase()
  const restored = await run(environment(target), 'restore', file)
  assert.deepEqual([restored.code, restored.stderr], [0, ''])
  assert.match(restored.stdout, /\n1 person erased again; 0 already erased here, 0 not in this database\.\n/)
  assert.deepEqual(await emailIn(target), { email: null, isErased: true })

  const list = join(folder, 'list.jsonl')
  await writeFile(list, await readFile(join(folder, ERASED_LIST)))
  await rm(join(folder, ERASED_LIST))
  const without = await emptyDatabase()
  const warned = await run(environment(without), 'restore', file)
  assert.match(warned.stdout, /There is no erased\.jsonl beside the backup/)
  assert.deepEqual(await emailIn(without), { email: 'canary@mail.example', isErased: false })
  const csv = join(folder, 'erasures.csv')
  await writeFile(
    csv,
    `\ufeffid,at,by,subjectType,subjectId,reason,recordsUntil,backupsUntil,done\r\n${erasure.id},${erasure.at},Nora,lead,${id},asked,,2026-12-31,true\r\n`,
  )
  const again = async (from: string) => (await run(environment(without), 'erase', '--list', from, '--json')).stdout
  assert.deepEqual(JSON.parse(await again(csv)), { file: csv, again: 1, already: 0, absent: 0, needed: [] })
  assert.deepEqual(await emailIn(without), { email: null, isErased: true })
  assert.deepEqual(JSON.parse(await again(list)), { file: list, again: 0, already: 1, absent: 0, needed: [] })
  assert.equal((await run(environment(without), 'erase', '--list', file)).code, 1)
  const neither = await run(environment(without), 'erase')
  assert.match(neither.stderr, /^Use either --list FILE or --user EMAIL\.$/m)
  assert.equal(neither.code, 64)
})

test('a former member is erased by e-mail, and no one who still has a role', async () => {
  const email = 'canary-member@mail.example'
  const { id } = await db.one<{ id: string }>`
    insert into users (id, email, first_name, last_name, password_hash, created_at, updated_at)
    values (gen_random_uuid(), ${email}, 'Canarina', 'Zwitscher', 'hash', now(), now()) returning id`
  await db.run`insert into user_roles (user_id, type, created_at) values (${id}, 'admin', now())`
  const erase = () => run(environment(db.url), 'erase', '--user', email)
  assert.match((await erase()).stderr, /still has a role or an open invitation/)
  await db.run`delete from user_roles where user_id = ${id}`
  await db.run`
    insert into mails (id, name, kind, email, subject, text, state, created_at)
    values (gen_random_uuid(), 'one', 'new-key', ${email}, 'Canarina', null, 'sent', now())`
  assert.match((await erase()).stdout, /was erased\. They can’t sign in, and the email is free again\./)
  const user = await db.one`select email, first_name, password_hash from users where id = ${id}`
  assert.deepEqual(user, { email: `erased-${id}@erased.invalid`, firstName: 'Erased person', passwordHash: null })
  assert.deepEqual(await db.one`select email, subject from mails where name = 'one'`, {
    ...{ email: 'erased@erased.invalid', subject: null },
  })
  assert.match(
    (await readFile(join(folder, ERASED_LIST), 'utf8')).trim(),
    new RegExp(`"type":"user","subjectId":"${id}"`),
  )
  assert.match((await erase()).stderr, /^No user has the email/)
})

test('a former member is erased although BACKUP_DIR cannot be written, and the command says so', async () => {
  const email = 'canary-unlisted@mail.example'
  await db.run`
    insert into users (id, email, password_hash, created_at, updated_at)
    values (gen_random_uuid(), ${email}, 'hash', now(), now())`
  const unmounted = { ...environment(db.url), BACKUP_DIR: join(folder, 'unmounted') }
  const { code, stdout, stderr } = await run(unmounted, 'erase', '--user', email)
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(
    stdout,
    /was erased\..*\nerased\.jsonl in BACKUP_DIR couldn’t be written \(ENOENT\): the next backup adds/,
  )
})
