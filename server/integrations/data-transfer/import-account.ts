import { system } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import { lockKeys } from '../../platform/database/lock-keys.ts'
import { type Database, type Transaction, transaction, withSavepoint } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { mistakeIn } from '../../platform/database/shapes.ts'
import { joinSql, rawSql, type Sql, sql } from '../../platform/database/sql.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import type { Install } from '../../platform/services.ts'
import { claimImportedSlug } from '../../program/applications/program.ts'
import { invitePartner } from '../../program/auth/invitations.ts'
import { inviteOwner } from '../../program/auth/owners.ts'
import { makeUserAs } from '../../program/auth/users.ts'
import { claimImportedFiles } from '../../program/pictures/files.ts'
import { emptyEventsOfErased } from '../../program/privacy/erased-events.ts'
import { fillMonths } from '../../program/stats/months.ts'
import { type Difference, verifyLedger } from '../../program/stats/verify.ts'
import { freshAddress } from '../incoming-webhooks/webhooks.ts'
import { freshSecret } from '../outgoing-webhooks/webhooks.ts'
import { verifyPayments } from '../payment-providers/verify-payments.ts'
import { ImportRefusal } from './import-refusal.ts'
import { type ExportManifest, exportFileName } from './manifest.ts'
import { type AccountArchive, openAccountArchive } from './open-archive.ts'
import { readLines } from './read-lines.ts'
import { fromCell, numericColumns, type ReadTable, readLedgerDigest, readTables, type Value } from './rows.ts'
import { accountScope } from './tables.ts'

type Options = {
  /** Also invites the partners who had been invited in the original install. */
  invitePartners?: boolean
  /** Called at the start of each table. */
  onTable?: (name: string, rows: number) => void
  mostBytes?: number
}

export type Imported = ExportManifest & {
  invited: number
  /** The new address of the program page, if another account of this server has its former one. */
  program: { former: string; slug: string } | null
  /** Number of pictures with a new address, for the same reason. */
  renamedPictures: number
}

/**
 * Imports an exported account into this install, all or nothing, with its original ids. Its people sign in by new
 * invitations, and nothing imported acts by itself: connections are ended, webhooks and automatic payouts are off. No
 * one is notified except by those invitations.
 * Refuses, by `ImportRefusal`: a file that is not a complete export of ours; an account, a link or an id that already
 * exists; rows that refer to others' objects; an inconsistent ledger.
 */
export async function importAccount(
  db: Database,
  install: Install,
  path: string,
  { invitePartners = false, onTable = () => {}, mostBytes }: Options = {},
): Promise<Imported> {
  const archive = await openAccountArchive(path, { mostBytes })
  const { manifest } = archive
  const { id } = manifest.account
  try {
    return await transaction(db, async (tx) => {
      await tx.run`set local statement_timeout = 0`
      await tx.run`set local idle_in_transaction_session_timeout = 0`
      const tables = await readTables(tx)
      // concurrent imports with the same ids would not see each other's rows
      await lockKeys(tx, [{ accountId: null, name: 'import of an account' }])
      if (await tx.maybe`select from accounts where id = ${id}`)
        throw new ImportRefusal('This account is already on this server.')
      const wrongBefore = new Set((await differences(tx)).map(keyOf))
      for (const table of tables) {
        onTable(table.name, manifest.files[exportFileName(table)]!.rows)
        await fill(tx, install.secrets, { archive, table })
      }
      // for plans that match the new rows; without the right to do so PostgreSQL only warns
      await tx.client.query(`analyze ${tables.map(({ name }) => name).join(', ')}`)
      await emptyEventsOfErased(tx, id)
      await checkWhole(tx, manifest, tables)
      await enterMissingRates(tx, id)
      const program = await claimImportedSlug(tx, id)
      const {
        wrong: [wrongPicture],
        renamed: renamedPictures,
      } = await claimImportedFiles(tx, id)
      if (wrongPicture)
        throw new ImportRefusal(`A row of files.csv isn’t the picture that it says it is: ${wrongPicture}.`)
      await fillMonths(tx, id)
      await checkBooks(tx, wrongBefore)
      await inviteOwnerAnew(tx, install, manifest)
      const invited = invitePartners ? await invitePartnersAnew(tx, install, archive, tables) : 0
      await linksChanged(tx, id)
      const changes = program && { changes: { slug: { old: program.former, new: program.slug } } }
      await recordActivity(tx, system, id, 'account.imported', { id, ...changes })
      return { ...manifest, invited, program, renamedPictures }
    })
  } finally {
    archive.close()
  }
}

const AT_ONCE = 500
const AT_ONCE_CHARACTERS = 4_000_000

type Filling = { archive: AccountArchive; table: ReadTable }
/** A row of a file, and its place there, from 1. */
type Row = { place: number; values: Value[] }

/** Most rows written together: far more commissions than any payout has. */
const MOST_TOGETHER = 1_000_000

/** Writes the rows of a file; those that an import leaves out are parsed as strictly. */
async function fill(tx: Transaction, secrets: Secrets, filling: Filling) {
  const { archive, table } = filling
  const name = exportFileName(table)
  const { rows } = archive.manifest.files[name]!
  const together = table.together ? table.columns.indexOf(table.together) : -1
  let batch: Row[] = []
  let characters = 0
  let read = 0
  const write = async () => {
    if (batch.length > 0 && !table.leftByImport) await insert(tx, secrets, { ...filling, rows: batch })
    batch = []
    characters = 0
  }
  const all = rowsOf(archive, table)
  for await (const row of table.after ? namedFirst(table, table.after, all) : all) {
    read++
    const isFull = batch.length >= AT_ONCE || characters > AT_ONCE_CHARACTERS
    if (isFull && (together < 0 || batch.at(-1)!.values[together] !== row.values[together])) await write()
    if (batch.length >= MOST_TOGETHER) throw new ImportRefusal(`${name} has too many rows with one ${table.together}.`)
    batch.push(row)
    for (const value of row.values) characters += value?.length ?? 0
  }
  await write()
  if (read !== rows) throw new ImportRefusal(`${name} has ${read} rows, and the manifest says ${rows}.`)
}

/** Yields the rows, each after the one that it refers to in this column. */
async function* namedFirst({ name, columns }: ReadTable, after: string, rows: AsyncIterable<Row>) {
  const [id, named] = [columns.indexOf('id'), columns.indexOf(after)]
  const gone = new Set<Value>([null])
  const waiting = new Map<Value, Row[]>()
  for await (const row of rows) {
    const before = row.values[named]!
    if (!gone.has(before)) {
      const waitingRows = waiting.get(before) ?? []
      waitingRows.push(row)
      waiting.set(before, waitingRows)
      continue
    }
    const ready = [row]
    for (let next = ready.pop(); next; next = ready.pop()) {
      yield next
      const itself = next.values[id]!
      gone.add(itself)
      for (const follower of waiting.get(itself) ?? []) ready.push(follower)
      waiting.delete(itself)
    }
  }
  if (waiting.size > 0) throw new ImportRefusal(`A row of ${name}.csv names another one that isn’t in the file.`)
}

/** Parses a file's rows; its first line must have exactly the columns of this release. */
async function* rowsOf(archive: AccountArchive, table: ReadTable): AsyncGenerator<Row> {
  const name = exportFileName(table)
  const areNumbers = numericColumns(table)
  const mistake = createRowCheck(table)
  let place = 0
  for await (const cells of readLines(name, archive.read(table))) {
    if (place === 0) checkHeader(table, cells)
    else {
      if (cells.length !== table.columns.length)
        throw new ImportRefusal(`Row ${place} of ${name} has too few or too many values.`)
      const values = cells.map((cell, at) => fromCell(cell, areNumbers[at]!))
      const wrong = mistake(values)
      if (wrong) throw new ImportRefusal(`Row ${place} of ${name} ${wrong}`)
      yield { place, values }
    }
    place++
  }
}

function checkHeader(table: ReadTable, given: Value[]) {
  const missing = table.columns.filter((column) => !given.includes(column))
  const unknown = given.filter((column) => !table.columns.includes(column ?? ''))
  const words = [
    ...(missing.length > 0 ? [`without ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`with ${unknown.join(', ')}`] : []),
  ]
  if (words.length > 0)
    throw new ImportRefusal(
      `${exportFileName(table)} comes ${words.join(' and ')}. Export it from the release that reads it.`,
    )
  if (given.some((column, at) => column !== table.columns[at]))
    throw new ImportRefusal(
      `The columns of ${exportFileName(table)} stand in another order than an export writes them in.`,
    )
}

/** Returns a function that says what is wrong with a row's values, in words; they are not stored by an import. */
export function createRowCheck({ columns, types, shapes = {}, leftByImport }: ReadTable) {
  const shaped = leftByImport
    ? []
    : Object.entries(shapes).map(([column, shape]) => ({ column, shape, at: columns.indexOf(column) }))
  return (values: Value[]): string | undefined => {
    for (const { column, shape, at } of shaped) {
      const value = values[at]!
      const wrong = value === null ? undefined : mistakeIn(shape, value, types.get(column)!)
      if (wrong) return `has a ${column} that can’t be stored: ${wrong}.`
    }
    return undefined
  }
}

/** Creates secrets by this install for rows whose own were not exported, by table: their bytes in hexadecimal. */
const made: Record<string, (secrets: Secrets, place: { id: string; accountId: string }) => Record<string, Buffer>> = {
  incoming_webhooks(secrets, place) {
    const { hash, sealed } = freshAddress(secrets, place)
    return { token_hash: hash, token_sealed: sealed }
  },
  outgoing_webhooks: (secrets, place) => ({ secret_sealed: freshSecret(secrets, place).sealed }),
}

/**
 * Writes rows with one statement. If the database rejects it, each row alone, to name the one that is wrong; but rows
 * whose sum it checks stay together.
 */
async function insert(tx: Transaction, secrets: Secrets, filling: Filling & { rows: Row[] }): Promise<void> {
  const { table, rows } = filling
  try {
    await withSavepoint(tx, () => insertTogether(tx, secrets, filling))
  } catch (error) {
    if (!isOfRows(error)) throw error
    if (rows.length > 1 && !table.together)
      for (const row of rows) await insert(tx, secrets, { ...filling, rows: [row] })
    const [row] = rows.length === 1 ? rows : []
    const column = row && (await wrongColumn(tx, table, row, error))
    throw inWords(error, `${row ? `Row ${row.place}` : 'A row'} of ${exportFileName(table)}`, column)
  }
}

async function insertTogether(tx: Transaction, secrets: Secrets, { archive, table, rows }: Filling & { rows: Row[] }) {
  const accountId = archive.manifest.account.id
  const { name, columns, types } = table
  const arrives = table.arrives?.(tx.now) ?? {}
  const id = columns.indexOf('id')
  const extra = made[name] && rows.map(({ values }) => made[name]!(secrets, { id: values[id]!, accountId }))
  const added = Object.keys(extra?.[0] ?? {})
  const given = columns.map((_, at) => rows.map(({ values }) => values[at]!))
  const bytes = added.map((column) => extra!.map((row) => row[column]!.toString('hex')))
  const names = [...columns, ...added]
  const typed = [
    ...columns.map((column) => rawSql(`x.${column}::${types.get(column)} as ${column}`)),
    ...added.map((column) => rawSql(`decode(x.${column}, 'hex') as ${column}`)),
  ]
  const addedColumns = Object.keys(arrives).filter((column) => !names.includes(column))
  const values = [...names, ...addedColumns].map((column) => arrives[column] ?? rawSql(`r.${column}`))
  const ofAccount = types.has('account_id') ? [sql`${accountId}::uuid`] : []
  const into = [...(ofAccount.length > 0 ? ['account_id'] : []), ...names, ...addedColumns]
  const texts: Sql[] = [...given, ...bytes].map((column) => sql`${column}::text[]`)
  await tx.run`
    insert into ${rawSql(name)} (${rawSql(into.join(', '))})
    select ${joinSql([...ofAccount, ...values], ', ')} from (
      select ${joinSql(typed, ', ')}, x.place_in_file
      from unnest(${joinSql(texts, ', ')}) with ordinality as x (${rawSql(names.join(', '))}, place_in_file)) r
    order by r.place_in_file`
}

type DatabaseError = { code?: string; message: string; detail?: string; column?: string; constraint?: string }

/** Whether the database rejected what the rows hold: its values, its rules or its limits. */
const isOfRows = (error: unknown) => /^(2[23]|54)/.test((error as DatabaseError).code ?? '')

/** Returns the name of the column that the database rejects, or of those that contradict each other. */
async function wrongColumn(tx: Transaction, { name, columns, types }: ReadTable, { values }: Row, error: unknown) {
  const { code, column, constraint } = error as DatabaseError
  if (code === '23502') return column
  if (code === '23514')
    return tx.value<string | null>`
      select string_agg(a.attname, ' or ' order by a.attnum)
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.conrelid = ${name}::regclass and c.conname = ${constraint}`
  for (const [at, one] of columns.entries()) {
    const cast = withSavepoint(tx, () => tx.run`select ${values[at]}::text::${rawSql(types.get(one)!)}`)
    const isWrong = await cast.then(
      () => false,
      (failure) => isOfRows(failure) || Promise.reject(failure),
    )
    if (isWrong) return one
  }
  return undefined
}

/** Returns the database's reason to reject rows. Any other error is not the file's fault. */
function inWords(error: unknown, where: string, column?: string | null): unknown {
  if (!isOfRows(error)) return error
  const { code, message, detail } = error as DatabaseError
  if (code === '23505') return new ImportRefusal(`${where} holds something that is already on this server: ${detail}`)
  if (code === '23503') return new ImportRefusal(`${where} names something that isn’t in the zip: ${detail}`)
  return new ImportRefusal(`${where} ${column ? `has a ${column} that ` : ''}can’t be stored: ${message}.`)
}

/**
 * A sale's rate must exist on its day. Published rates are each install's own, so unknown ones are entered as the
 * account's.
 */
async function enterMissingRates(tx: Transaction, accountId: string) {
  const missing = await tx.many<{ currency: string; accountCurrency: string; date: string; rate: string }>`
  select distinct on (s.currency, s.fx_date) s.currency, s.account_currency, s.fx_date as date, s.fx_rate::text as rate
  from sales s
  where s.account_id = ${accountId} and s.account_amount is not null and s.currency <> s.account_currency and not (
    (s.currency = 'eur' or exists (select from euro_rates r where r.currency = s.currency and r.date = s.fx_date))
    and (s.account_currency = 'eur' or exists (
      select from euro_rates r where r.currency = s.account_currency and r.date = s.fx_date)))
  order by s.currency, s.fx_date, s.id`
  await tx.run`
    insert into account_exchange_rates (id, account_id, currency, account_currency, date, rate, created_at)
    select x.id, ${accountId}, x.currency, x.account_currency, x.date, x.rate, ${tx.now}
    from unnest(${missing.map(() => newId())}::uuid[], ${missing.map(({ currency }) => currency)}::text[],
      ${missing.map(({ accountCurrency }) => accountCurrency)}::text[], ${missing.map(({ date }) => date)}::date[],
      ${missing.map(({ rate }) => rate)}::numeric[]) as x (id, currency, account_currency, date, rate)
    on conflict (account_id, currency, date) do nothing`
}

/**
 * Checks that every row became this account's, none refers to another account's objects, and the ledger's digest is
 * unchanged.
 */
async function checkWhole(
  tx: Transaction,
  { account, files, ledgerDigest, digestVersion = 1 }: ExportManifest,
  tables: ReadTable[],
) {
  for (const table of tables.filter(({ leftByImport }) => !leftByImport)) {
    const scope = accountScope(table, account.id)
    const count = await tx.value<number>`select count(*) from ${rawSql(table.name)} t where ${scope}`
    if (count !== files[exportFileName(table)]!.rows || (table.name === 'accounts' && count !== 1))
      throw new ImportRefusal(`A row of ${exportFileName(table)} belongs to another account.`)
    // a product's id is its shop's, which other accounts may have too
    const hasOwnId = table.types.get('id') === 'uuid' && table.name !== 'accounts'
    const known = hasOwnId && (await idElsewhere(tx, account.id, table))
    if (known)
      throw new ImportRefusal(
        `${exportFileName(table)} holds something that is already on this server: id ${known.id}.`,
      )
    for (const [column, targets] of Object.entries(table.names ?? {}))
      for (const target of targets)
        if (await namesForeign(tx, account.id, { table, column, target }))
          throw new ImportRefusal(
            `A row of ${exportFileName(table)} names another account’s ${target.replaceAll('_', ' ')}.`,
          )
  }
  await tx.run`select now() at time zone time_zone from accounts where id = ${account.id}`.catch((error) => {
    throw inWords(error, 'Row 1 of accounts.csv')
  })
  try {
    // checks deferred constraints now, to report them in words
    await tx.client.query('set constraints all immediate')
  } catch (error) {
    throw inWords(error, 'The ledger')
  }
  if ((await readLedgerDigest(tx, account.id, digestVersion)) !== ledgerDigest)
    throw new ImportRefusal('The ledger in the zip isn’t the one that its manifest is about.')
}

/**
 * Finds an id that exists elsewhere: rows are looked up by id alone, but the tables' keys enforce uniqueness only
 * within an account.
 */
const idElsewhere = (tx: Transaction, accountId: string, table: ReadTable) => tx.maybe<{ id: string }>`
  select o.id from ${rawSql(table.name)} o
  where o.account_id is distinct from ${accountId}
    and o.id in (select t.id from ${rawSql(table.name)} t where t.account_id = ${accountId}) limit 1`

const namesForeign = (
  tx: Transaction,
  accountId: string,
  { table, column, target }: { table: ReadTable; column: string; target: string },
) => tx.maybe`
  select o.id from ${rawSql(target)} o
  where o.account_id <> ${accountId}
    and o.id in (select ${rawSql(table.types.get(column) === 'uuid[]' ? `unnest(t.${column})` : `t.${column}`)} from ${rawSql(table.name)} t where ${accountScope(table, accountId)}) limit 1`

const differences = async (tx: Transaction): Promise<Difference[]> => [
  ...(await verifyLedger(tx)),
  ...(await verifyPayments(tx)).differences,
]

const keyOf = ({ check, subject }: Difference) => `${check} ${subject}`

const SHOWN = 5

/** Runs the checks of `verify-ledger`: no difference may appear that did not exist before. */
async function checkBooks(tx: Transaction, wrongBefore: ReadonlySet<string>) {
  const all = await differences(tx).catch((error: Error) => {
    throw isOfRows(error) || error instanceof TypeError || error instanceof RangeError
      ? new ImportRefusal(`The books in the zip can’t be read: ${error.message}.`, { cause: error })
      : error
  })
  const found = all.filter((one) => !wrongBefore.has(keyOf(one)))
  if (found.length === 0) return
  const lines = found
    .slice(0, SHOWN)
    .map(({ check, subject, expected, actual }) => `${check}: ${subject}, expected ${expected}, actual ${actual}`)
  throw new ImportRefusal(['The books in the zip don’t agree with themselves:', ...lines].join('\n  '))
}

/** Invites the owner; an existing login stays unchanged, and gets the same invitation. */
async function inviteOwnerAnew(tx: Transaction, install: Install, { account, owner }: ExportManifest) {
  if (!owner) return
  await makeUserAs(tx, owner.id, owner.email)
  await inviteOwner(tx, install, system, account.id, owner)
}

/** Invites each partner again whose invitation was not revoked, accepted or not. */
async function invitePartnersAnew(
  tx: Transaction,
  install: Install,
  archive: AccountArchive,
  tables: ReadTable[],
): Promise<number> {
  const table = tables.find(({ name }) => name === 'invitations')!
  const at = (column: string) => table.columns.indexOf(column)
  const invited = new Set<Value>()
  for await (const { values } of rowsOf(archive, table))
    if (values[at('kind')] === 'partner' && values[at('status')] !== 'revoked') invited.add(values[at('partner_id')]!)
  const partners = await tx.many<{ id: string; email: string; firstName: string | null; lastName: string | null }>`
    select id, email, first_name, last_name from partners
    where account_id = ${archive.manifest.account.id} and id = any(${[...invited]}::uuid[]) and state = 'active' order by id`
  for (const { id, ...partner } of partners)
    await invitePartner(tx, install, system, id, { ...partner, accountId: archive.manifest.account.id })
  return partners.length
}
