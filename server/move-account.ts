import { createWriteStream, existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { exportAccount } from './integrations/data-transfer/export-account.ts'
import { importAccount } from './integrations/data-transfer/import-account.ts'
import { ImportRefusal } from './integrations/data-transfer/import-refusal.ts'
import { system } from './platform/by.ts'
import { type Config, readConfig } from './platform/config/config.ts'
import { readSecretKey } from './platform/config/secret-key.ts'
import { StartRefusal } from './platform/config/start-refusal.ts'
import { attachEmbedded } from './platform/database/embedded.ts'
import { asUuid } from './platform/database/ids.ts'
import { checkKey } from './platform/database/key-check.ts'
import { type Database, openDatabase } from './platform/database/pool.ts'
import { createSecrets } from './platform/database/secrets.ts'
import { countInWords } from './platform/in-words.ts'
import { Refusal } from './platform/refusal.ts'

// npm run export -- ACCOUNT_ID FILE.zip and npm run import -- FILE.zip [--invite-partners]: beside the running server or
// without it. Exit 1 and the reason where nothing came of it.

const USAGE = 'Use: npm run export -- ACCOUNT_ID FILE.zip, or npm run import -- FILE.zip [--invite-partners]'

const log = pino({ level: 'silent' })
const say = (line: string) => process.stdout.write(`${line}\n`)

async function writeFile(db: Database, account: string, file: string) {
  let begun = false
  const open = ({ rows }: { rows: number }) => {
    say(`Exporting ${countInWords(rows, 'row')} …`)
    begun = true
    return createWriteStream(file, { flags: 'wx', mode: 0o600 })
  }
  try {
    const { ledgerDigest } = await exportAccount(db, system, asUuid(account), { open })
    say(`Written to ${file}. Ledger digest: ${ledgerDigest}`)
  } catch (error) {
    const isThere = (error as { code?: string }).code === 'EEXIST'
    if (isThere) throw new StartRefusal(`${file} is already there.`)
    if (begun) await rm(file, { force: true })
    throw error
  }
}

async function readFile(db: Database, config: Config, file: string, invitePartners: boolean) {
  if (!existsSync(file)) throw new StartRefusal(`There is no file ${file}.`)
  const secrets = createSecrets(await readSecretKey(config))
  // what is sealed with another key could never be opened
  await checkKey(db, secrets)
  const onTable = (name: string, rows: number) => rows > 0 && say(`${name}: ${countInWords(rows, 'row')}`)
  const { account, owner, ledgerDigest, invited } = await importAccount(db, { config, secrets }, file, {
    invitePartners,
    onTable,
  })
  say(`Imported ${account.name ?? 'an account without a name'} (${account.id}). Ledger digest: ${ledgerDigest}`)
  say(owner ? `${owner.email} is invited to own it.` : 'It has no owner. Assign one under Admin.')
  if (invitePartners) say(`${countInWords(invited, 'partner')} invited.`)
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'invite-partners': { type: 'boolean', default: false } },
  })
  const [what, ...names] = positionals
  if (!(what === 'export' && names.length === 2) && !(what === 'import' && names.length === 1))
    throw new StartRefusal(USAGE)
  const config = readConfig(process.env)
  const embedded = config.databaseUrl ? null : await attachEmbedded({ dataDir: config.dataDir, log })
  const db = openDatabase({ url: config.databaseUrl ?? embedded!.url, log, max: 2 })
  try {
    if (what === 'export') await writeFile(db, names[0]!, names[1]!)
    else await readFile(db, config, names[0]!, values['invite-partners'])
  } finally {
    await db.close()
    await embedded?.stop()
  }
} catch (error) {
  const expected = error instanceof StartRefusal || error instanceof ImportRefusal || error instanceof Refusal
  process.stderr.write(`${expected ? error.message : ((error as Error).stack ?? error)}\n`)
  process.exitCode = 1
}
