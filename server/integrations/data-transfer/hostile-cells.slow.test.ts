import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptInvitation, expectOk, getAdministratorToken, startApp } from '../../../test/support/app.ts'
import { aZip, exportArchive, readContents, updateDigests } from '../../../test/support/archives.ts'
import { aStrangeAccount, listReads } from '../../../test/support/strange-account.ts'
import { createRowCheck, importAccount } from './import-account.ts'
import { ImportRefusal } from './import-refusal.ts'
import { exportFileName } from './manifest.ts'
import { readLines } from './read-lines.ts'
import { buildHeader, csvLine, fromCell, numericColumns, type ReadTable, readTables, type Value } from './rows.ts'

// Each text, list and JSON of a real export becomes hostile. It is refused with its row and field in words, or every
// page and every answer of the imported account can still be read.

const world = await aStrangeAccount()
const { path } = await exportArchive(world.app.services.db, world.account.id)
const there = await startApp({ clock: world.clock, config: { allowPrivateWebhookTargets: true } })
const { db } = there.services
const tables = (await readTables(db)).filter(({ leftByImport }) => !leftByImport)
const files = new Map([...(await readContents(path))].map(([name, all]) => [name, String(all)]))

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Hostile contents of a cell, by its type. */
const HOSTILE: Record<string, string[]> = {
  text: [
    'a=b&c#\r\nx',
    'x; script-src *',
    'javascript:alert(1)',
    'реф <script>alert(1)</script>',
    '../..',
    '{"x":1}',
    '0',
    ' ',
    Array.from({ length: 60_000 }, (_, at) => at).join(''),
  ],
  jsonb: [
    '{"x":1}',
    '[{"kind":"evil"},5]',
    '[]',
    '{}',
    '"x"',
    '5',
    'null',
    '[null]',
    '{"changes":5,"lines":"x"}',
    '{"changes":{"name":5},"lines":[5]}',
    '{"__proto__":{"x":1},"constructor":5}',
    nested(5000),
    '{',
  ],
  'text[]': ['{"x; script-src *","*"}', '{NULL}', '{{a},{b}}', `{"a\r\nb"}`, '{"javascript:alert(1)"}', '{'],
  'integer[]': ['{-1}', '{NULL}', '{{1},{2}}', '{999999999}', '{}', '{'],
}
const ROUNDS = Math.max(...Object.values(HOSTILE).map((all) => all.length))

type Rows = Map<string, Value[][]>

async function* whole(content: string) {
  yield Buffer.from(content)
}

async function readRows(): Promise<Rows> {
  const rows: Rows = new Map()
  for (const table of tables) {
    const all: Value[][] = []
    const areNumbers = numericColumns(table)
    for await (const cells of readLines(exportFileName(table), whole(files.get(exportFileName(table))!)))
      all.push(cells.map((cell, at) => fromCell(cell, areNumbers[at]!)))
    rows.set(table.name, all.slice(1))
  }
  return rows
}
const original = await readRows()

/** A column and the value that its cells are given, in the first row alone if they must differ. */
type Forgery = { table: ReadTable; column: string; value: string }

/** A zip with these cells; `whole` false gives it a digest by which it is refused after all its rows are written. */
async function forged(forgeries: Forgery[], { isWhole }: { isWhole: boolean }) {
  const changed = new Map(files)
  for (const table of new Set(forgeries.map((one) => one.table))) {
    const own = forgeries.filter((one) => one.table === table)
    const rows = original.get(table.name)!.map((row, place) => {
      const next = [...row]
      // only what is there: the rules about what is missing are others
      for (const { column, value } of own) {
        const at = table.columns.indexOf(column)
        if (row[at] !== null && (place === 0 || row[at] === original.get(table.name)![0]![at])) next[at] = value
      }
      return next
    })
    const areNumbers = numericColumns(table)
    changed.set(
      exportFileName(table),
      `\ufeff${buildHeader(table)}${rows.map((row) => csvLine(row, areNumbers)).join('')}`,
    )
  }
  updateDigests(changed, (manifest) => {
    if (!isWhole) manifest.ledgerDigest = '0'.repeat(64)
  })
  return aZip(changed)
}

/** Returns why rows with these cells are refused; undefined if all of them are written. */
async function refusalOf(forgeries: Forgery[]): Promise<string | undefined> {
  const zip = await forged(forgeries, { isWhole: false })
  const error = await importAccount(db, there.services, zip).then(
    () => assert.fail('its digest is wrong'),
    (error: Error) => error,
  )
  const what = forgeries.map(({ table, column, value }) => `${table.name}.${column} = ${value.slice(0, 60)}`).join('\n')
  assert.ok(error instanceof ImportRefusal, `${error.stack}\n${what}`)
  return /isn’t the one that its manifest is about/.test(error.message) ? undefined : error.message
}

const isGiven = (table: ReadTable, column: string) =>
  (original.get(table.name)![0]?.[table.columns.indexOf(column)] ?? null) !== null

/** Columns whose first row has a value, which the forgeries replace. */
const cells = tables.flatMap((table) =>
  table.columns
    .filter((column) => HOSTILE[table.types.get(column)!] && isGiven(table, column))
    // the books compare it with its digest
    .filter((column) => `${table.name}.${column}` !== 'agreement_versions.text')
    .map((column) => ({ table, column, all: HOSTILE[table.types.get(column)!]! })),
)

const named = /^Row 1 of (\w+)\.csv has a (\w+(?: or \w+)*) that can’t be stored: \S/

/** Hostile cells that were written, by round. A column that the database refuses has a few words, and is tried once. */
const taken: Forgery[][] = []

test('a hostile cell is refused with its row and field in words, or written', async () => {
  const refused: string[] = []
  const ofFewWords = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    let tried = cells.flatMap(({ table, column, all }): Forgery[] => {
      const value = all[round]
      if (value === undefined || ofFewWords.has(`${table.name}.${column}`)) return []
      const row = original.get(table.name)![0]!.map((cell, at) => (table.columns[at] === column ? value : cell))
      const words = createRowCheck(table)(row)
      if (words !== undefined) refused.push(`Row 1 of ${table.name}.csv ${words}`)
      return words === undefined ? [{ table, column, value }] : []
    })
    for (let words = await refusalOf(tried); words !== undefined; words = await refusalOf(tried)) {
      refused.push(words)
      const [, name, columns = ''] = named.exec(words) ?? []
      const wrong = tried.filter(({ table, column }) => table.name === name && columns.split(' or ').includes(column))
      assert.ok(wrong.length > 0, words)
      tried = tried.filter((one) => !wrong.includes(one))
      for (const { table, column } of wrong) ofFewWords.add(`${table.name}.${column}`)
    }
    taken.push(tried)
  }
  assert.deepEqual(
    refused.filter((words) => !named.test(words)),
    [],
  )
  assert.ok(refused.length > 700, `${refused.length} refused`)
})

test('an account whose cells were taken is imported, and all of it can be read', async () => {
  for (const forgeries of taken) {
    const app = await startApp({ clock: world.clock, config: { allowPrivateWebhookTargets: true } })
    const { services } = app
    await importAccount(services.db, services, await forged(forgeries, { isWhole: true }), { invitePartners: true })
    const admin = await getAdministratorToken(app)
    const { ownerInvitation } = expectOk(await app.api('GET', `/accounts/${world.account.id}`, { token: admin })).body
    const { token } = await acceptInvitation(app, ownerInvitation.url)
    for (const { name, at } of await listReads(world)) {
      const { status, body } = await app.api('GET', at, { token })
      assert.equal(status < 500, true, `${name} ${status} ${JSON.stringify(body)}`)
    }
    for (const page of ['/join/strange', `/r/${world.blueprint.key}/any`]) {
      for (let visit = 0; visit < 2; visit++) {
        const { status } = await fetch(app.url + page, { redirect: 'manual' })
        assert.ok(status < 500, `${page} ${status}`)
      }
    }
    await exportArchive(services.db, world.account.id)
    await app.close()
  }
})
