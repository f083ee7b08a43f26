import assert from 'node:assert/strict'
import { mkdtemp, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { freshDatabase } from '../../test/support/postgres.ts'
import { scratchFolder } from '../../test/support/scratch.ts'
import { backUp } from '../platform/backups/back-up.ts'
import { nameAt, nameBefore } from '../platform/backups/own-backups.ts'
import { checkKey } from '../platform/database/key-check.ts'
import { type Database, systemClock } from '../platform/database/pool.ts'
import { createSecrets } from '../platform/database/secrets.ts'
import { backups } from './backups.ts'
import { runChecks } from './check.ts'
import { meetPatient } from './patient.ts'

const scratch = await scratchFolder()
const [db, another] = [await anInstall(), await anInstall()]
const NOW = nameAt(new Date())
const [PAST, TO_COME] = ['tributary-20260101T030000Z.zip', 'tributary-29991123T030000Z.zip']

async function anInstall() {
  const made = await freshDatabase()
  await checkKey(made, createSecrets(Buffer.alloc(32, 7)))
  return made
}

type Files = Record<string, Database | 'empty'>

/** Creates a folder with these files: backups taken now, or empty ones. */
async function aFolder(files: Files = {}) {
  const folder = await mkdtemp(join(scratch, 'backups-'))
  for (const [name, of] of Object.entries(files))
    if (of === 'empty') await writeFile(join(folder, name), '')
    else await backUp(of, join(folder, name), [])
  return folder
}

async function runCheck(folder: string, more: Record<string, string> = {}) {
  const patient = meetPatient({ DATABASE_URL: db.url, BACKUP_DIR: folder, ...more }, { clock: systemClock })
  try {
    return (await runChecks([backups], patient)).map(({ state, finding }) => `${state}: ${finding}`)
  } finally {
    await patient.leave()
  }
}

/** Each with the expected findings. */
const folders: [what: string, files: Files, ...said: RegExp[]][] = [
  ['one of ours', { [NOW]: db }, /^ok: 1 backup, the newest from /],
  ['one from before an upgrade', { [nameBefore('0014-x.sql', new Date())]: db }, /^ok: 1 backup, the newest from /],
  ['none yet', {}, /^warning: .* has no backup of this server\.$/],
  [
    'an empty one beside ours',
    { [NOW]: db, [PAST]: 'empty' },
    /^fault: 1 file in \S+ can’t be restored \(empty or incomplete\): tributary-20260101T030000Z\.zip\.$/,
  ],
  ['empty ones alone', { [NOW]: 'empty', [TO_COME]: 'empty' }, /^warning: .* no backup of this/, /^fault: 2 files in /],
  [
    'one still to come beside ours',
    { [NOW]: db, [TO_COME]: db },
    /^fault: 1 backup in .* named after a time in the future: \S+2999/,
  ],
  ['one of another install beside ours', { [NOW]: db, [PAST]: another }, /^warning: 1 backup in \S+ of another server/],
  ['one of another install alone', { [NOW]: another }, /^warning: .* no backup of this/, /^warning: 1 .* of another/],
]

for (const [what, files, ...wanted] of folders)
  test(`the check of backups recognizes a folder with ${what}`, async () => {
    const lines = await runCheck(await aFolder(files))
    assert.equal(lines.length, wanted.length, lines.join('\n'))
    for (const [index, words] of wanted.entries()) assert.match(lines[index]!, words)
  })

test('a folder that has long been empty, a missing one, and failing backups are faults', async () => {
  const folder = await aFolder()
  await utimes(folder, 1, 1)
  assert.match((await runCheck(folder))[0]!, /^fault: .* has no backup of this server\./)
  assert.match((await runCheck(join(folder, 'none')))[0]!, /^fault: \S+ isn’t writable: ENOENT/)
  assert.match(
    (await runCheck(folder, { BACKUP_DIR: '' }))[0]!,
    /^warning: BACKUP_DIR isn’t set: no backups are made\./,
  )
  await db.run`update install set backups_failing_since = now()`
  const [failing] = await runCheck(await aFolder({ [NOW]: db })).finally(
    () => db.run`update install set backups_failing_since = null`,
  )
  assert.match(failing!, /^fault: Backups have failed since 20/)
})

test('while the database is down, backups are reported without naming their install', async () => {
  const [line] = await runCheck(await aFolder({ [NOW]: another }), { DATABASE_URL: 'postgres://x:y@127.0.0.1:9/z' })
  assert.match(line!, /^ok: 1 backup, the newest from /)
})
