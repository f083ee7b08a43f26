import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

// The sweeps read what features declare: a feature full of faults is added to a copy of the product by its lines in the
// lists of features, and each sweep names its own fault there.

const root = fileURLToPath(new URL('../', import.meta.url))
const copy = await mkdtemp(join(tmpdir(), 'tributary-planted-'))
after(() => rm(copy, { recursive: true, force: true }))

const files = {
  'contract.ts': `
    import { z } from 'zod'
    import { apiLimit, endpoint, rights } from '#contract/endpoint.ts'
    import { Id, listQuery, pageSchema } from '#contract/values.ts'

    export const listedAfter = 'leads'
    const Planted = z.object({ id: Id, name: z.string() }).meta({ id: 'Planted' })

    /** It has no file. */
    export const listPlanted = endpoint('listPlanted', 'GET /accounts/:id/planted', {
      summary: 'List what was planted',
      allow: rights.read,
      limit: apiLimit,
      fromReplica: true,
      subject: 'account',
      query: listQuery({}),
      reply: pageSchema(Planted),
    })

    /** It has a text of any length, and neither a right nor a body that a sweep declares, nor a route. */
    export const createPlanted = endpoint('createPlanted', 'POST /accounts/:id/planted', {
      summary: 'Plant it',
      allow: rights.earn,
      limit: apiLimit,
      subject: 'account',
      body: z.strictObject({ name: z.string() }),
      status: 201,
      reply: Planted,
    })

    /** No code refuses for it, and no limit is documented. */
    export const refusals = { planted_too_often: ['invalid_state', 'An account can have at most {{max}} of these.'] }`,
  'examples.ts': 'export const calls = {}',
  'sweep.ts': 'export const requiredRights = {}',
  // it reads another module's queries
  'server/routes.ts': `
    import '#server/program/leads/queries.ts'
    export const plantedRoutes = () => {}`,
  // the schema has no such table, and no erasure finds its note
  'server/tables.ts': `
    import { declareTables, emptyColumns } from '#server/platform/database/declare-tables.ts'
    declareTables({ planted_things: { columns: 'id', personal: [emptyColumns('lead', 'note')], exported: true } })`,
  // it has no catalogues
  'text.ts': `
    import { defineWords } from '#contract/words.ts'
    export const plantedWords = defineWords('planted', 'partner', { heading: 'All that was planted here' })`,
  // words in a component, where no one can translate them
  'web/Planted.tsx': `
    export const Planted = () => <h1>Planted by hand</h1>`,
}

const lists = {
  contract: "export * as planted from './planted/contract.ts'",
  examples: "export * as planted from './planted/examples.ts'",
  routes: "export { plantedRoutes as planted } from './planted/server/routes.ts'",
  sweep: "export * as planted from './planted/sweep.ts'",
  tables: "import './planted/server/tables.ts'",
}

/** The sweeps, each with the fault that it names. */
const sweeps: [file: string, name: string, fault: string][] = [
  ['contract/contract.test.ts', 'every list has its file', 'listPlanted'],
  ['contract/texts.test.ts', 'every accepted text has a maximum length', 'createPlanted.name'],
  [
    'contract/rights.test.ts',
    'each call of an account’s team is in the group that decides what it decides',
    'createPlanted',
  ],
  ['contract/refusals.test.ts', 'the server uses every reason, and every code has a reason', 'planted_too_often'],
  ['test/limits-page.test.ts', 'every refusal that names a maximum has a row in docs/limits.md', 'planted_too_often'],
  [
    'test/import-rules.test.ts',
    'imports go one way: tiers, modules, the contract, the web application and the embed script',
    'features/planted/server/routes.ts:1 imports server/program/leads/queries.ts',
  ],
  [
    'test/import-rules.test.ts',
    'the calls of a contract file are implemented by the module of the same name',
    'listPlanted of planted',
  ],
  [
    'server/tables.test.ts',
    'each table of the schema is declared by a feature, with each of its columns',
    'planted_things.id',
  ],
  [
    'server/program/stats/verify/erased.test.ts',
    'each table with a personal column is checked, unless it is found by text',
    'planted_things',
  ],
  [
    'test/docs.test.ts',
    'docs/concepts/retention.md has every personal column, and its time',
    '| `planted_things` | lead',
  ],
  [
    'web/build/catalogues.test.ts',
    'the texts in de are those of English, with the same values and link marks',
    'planted.heading is missing',
  ],
  ['web/words/words.test.ts', 'no component contains its own words', 'features/planted/web/Planted.tsx'],
  ['test/docs.test.ts', 'the architecture lists every module of the server and every feature', 'planted'],
  ['test/bad-input.slow.test.ts', 'every call with a body has a valid one here', 'createPlanted'],
  ['test/access.slow.test.ts', 'the server implements every call of the contract', 'Planted: 404'],
]

for (const part of [
  ...['contract', 'demo', 'deploy', 'docs', 'embed', 'features', 'server', 'test', 'web', 'client', 'bench'],
  ...['package.json', 'tsconfig.json', 'README.md'],
])
  await cp(join(root, part), join(copy, part), { recursive: true })
await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
for (const [path, text] of Object.entries(files)) {
  const file = join(copy, 'features/planted', path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${text.replace(/^\n/, '').replaceAll(/^ {4}/gm, '')}\n`)
}
for (const [list, line] of Object.entries(lists)) await appendFile(join(copy, `features/index.${list}.ts`), `${line}\n`)

/** Runs the sweeps in the copy, and returns what each test that failed says, by its name. */
const failures = await new Promise<Map<string, string>>((resolve) => {
  const toPattern = (name: string) => `^${name.replaceAll(/[.*+?()[\]{}|\\^$/]/g, '\\$&')}$`
  const named = sweeps.map(([, name]) => `--test-name-pattern=${toPattern(name)}`)
  const paths = [...new Set(sweeps.map(([path]) => path))]
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const of = { cwd: copy, env, maxBuffer: 1 << 26 }
  execFile(process.execPath, ['--test', '--test-reporter=spec', ...named, ...paths], of, (_error, output) => {
    const [, failed = output] = output.split('failing tests:')
    const parts = failed.split(/^✖ /m).slice(1)
    resolve(new Map(parts.map((part) => [part.slice(0, part.lastIndexOf(' (', part.indexOf('\n'))), part])))
  })
})

for (const [file, name, fault] of sweeps)
  test(`${file}: “${name}” names a planted fault`, () => {
    const output = failures.get(name)
    assert.ok(output, `it did not fail; these did: ${[...failures.keys()].join(', ')}`)
    assert.ok(output.includes(fault), output)
  })
