import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Command } from 'commander'
import { AccountChange } from '#contract/accounts.ts'
import { shippedLanguages, withLanguage } from '#contract/language.ts'
import { PASSPHRASE, signIns } from '../demo/sign-ups.ts'
import packageJson from '../package.json' with { type: 'json' }
import { commands as commandsOfProduct } from '../server/commands/contents.ts'
import '../server/tables.ts'
import { listTables, type PersonKind } from '../server/platform/database/declare-tables.ts'
import { keptByAccount, keptDays } from '../server/retention.ts'
import { everyToken, readDocs, toDocsAddress } from '../web/build/docs-markdown.ts'
import { aboutPage, aboutPages, firstDocsPage, HTTPS_STEPS } from '../web/shared/docs.ts'
import { retentionWords } from '../web/words/retention.ts'
import { atOnce, blocks, commands, readme, root, texts, untilStopped } from './support/docs-commands.ts'

// Every command of the docs and of README.md is run by docs.slow.test.ts or by the test named here, unless a reason is
// given why none can.

const byOtherTests: Record<string, string> = {
  'npx tributary account list': 'server/commands/move-account.slow.test.ts',
  'npx tributary export ACCOUNT_ID account.zip': 'server/commands/move-account.slow.test.ts',
  'npx tributary import account.zip': 'server/commands/move-account.slow.test.ts',
  'npx tributary backup tributary.zip': 'server/commands/restore.slow.test.ts',
  'npx tributary restore tributary.zip': 'server/commands/restore.slow.test.ts',
  'npx tributary restore tributary.zip --check': 'server/commands/restore.slow.test.ts',
  'npx tributary erase --list erased.jsonl': 'server/commands/erase.slow.test.ts',
  'npx tributary erase --user elena@example.com': 'server/commands/erase.slow.test.ts',
  'npm run demo': 'demo/run.slow.test.ts',
  'npx tributary user reset-second-factor elena@example.com': 'server/commands/several-hosts.slow.test.ts',
  'npm run generate:client': 'client/generate/api.test.ts',
  'npm install ./tributary-1.0.0.tgz': 'deploy/release.slow.test.ts',
  'npx tributary start': 'deploy/release.slow.test.ts',
  'npm run release -- 1.0.0': 'deploy/release.test.ts',
}

const MEASURES = 'it measures for minutes, and refuses a machine on which tests run'
const byNone: Record<string, string> = {
  'git clone ADDRESS tributary': 'its address is the reader’s own',
  'cd tributary': 'it goes into that folder',
  'npm ci': 'it takes the packages away that the tests run with',
  'npm test': 'it runs the tests, as do the next two',
  'npm test -- --changed': 'it runs tests',
  'npm run test:all': 'it is what runs this test',
  'npm run check': 'it is the first three stages of npm test',
  'npm run bench': MEASURES,
  'npm run bench -- redirect': MEASURES,
  'npm run bench -- first-load': MEASURES,
  'npm run bench -- lists': MEASURES,
  'npm run bench -- costs': MEASURES,
  'npm run bench -- growth': MEASURES,
  'npm run bench -- clicks': MEASURES,
  'npm run bench -- cluster': MEASURES,
  'npm run bench -- soak --minutes 60': MEASURES,
  'npm run bench -- felt': MEASURES,
  'npm run bench -- statistics --full': MEASURES,
  'npm run bench -- --quick': MEASURES,
  'npm run bench -- --json run.json': MEASURES,
  'npm run bench -- --compare run.json': MEASURES,
  'npm run bench -- --anyway': MEASURES,
}

/** Commands that depend on the machine, by their first words, with the reason. */
const ofTheMachine: Record<string, string> = {
  'docker ':
    'it needs a container engine; deploy/image.slow.test.ts runs the steps of the image, compose.test.ts reads the files',
  'kubectl ': 'it needs a cluster; deploy/kubernetes.test.ts reads the file',
  'cp deploy/env.example ': 'it prepares what Docker Compose reads',
  'chmod 600 deploy/.env': 'it prepares what Docker Compose reads',
  'sudo ':
    'it changes the machine; deploy/image.slow.test.ts runs the unit’s command, nginx.slow.test.ts the configuration',
  'journalctl ': 'it reads what systemd keeps',
}

const beginningOf = (command: string) => Object.keys(ofTheMachine).find((beginning) => command.startsWith(beginning))

test('every command is run by a test, or has a reason not to be', async () => {
  const known = [byOtherTests, byNone, untilStopped].flatMap((list) => Object.keys(list)).concat(atOnce)
  const ours = commands.filter((command) => !beginningOf(command))
  assert.deepEqual(ours.toSorted(), known.toSorted())
  const used = new Set(commands.flatMap((command) => beginningOf(command) ?? []))
  assert.deepEqual([...used].toSorted(), Object.keys(ofTheMachine).toSorted())
  for (const path of Object.values(byOtherTests)) await access(join(root, path))
  const languages = new Set(blocks.flatMap(({ lang }) => lang || []))
  // a code block in any other language might be a shell’s, whose commands the test would miss
  for (const known of ['sh', 'js', 'tsx', 'json', 'html', 'sql', 'ini', 'csv']) languages.delete(known)
  assert.deepEqual([...languages], [])
})

test('every command of the product that a sentence names exists, with its options and arguments', async () => {
  const program = new Command('tributary')
  for (const load of Object.values(commandsOfProduct)) (await load()).define(program)
  const spans = texts.flatMap((tokens) => everyToken(tokens).filter(({ type }) => type === 'codespan'))
  const named = spans.flatMap(
    ({ raw }) => /(?:npx |^`)tributary ([^`]+)`/.exec(raw)?.[1]?.replaceAll(/\s+/g, ' ') ?? [],
  )
  assert.ok(named.length > 30)
  for (const words of new Set(named)) {
    if (/^(COMMAND )?--help$/.test(words)) continue
    const [command, ...given] = words.split(' ').reduce<[Command, ...string[]]>(
      ([found, ...rest], word) => {
        const inner = rest.length === 0 && found.commands.find((one) => one.name() === word)
        return inner ? [inner] : [found, ...rest, word]
      },
      [program],
    )
    assert.notEqual(command, program, `there is no command ${words}`)
    const { operands, unknown } = command.parseOptions(given)
    assert.deepEqual(unknown, [], words)
    assert.ok(operands.length <= command.registeredArguments.length, words)
  }
})

test('the sign-ins of the README are those of the demo', () => {
  const emails = readme.match(/[\w.]+@[\w.]+\.example/g) ?? []
  assert.ok(emails.length >= 4)
  const known = signIns.map(({ email }) => email as string)
  assert.deepEqual(
    emails.filter((email) => !known.includes(email)),
    [],
  )
  assert.ok(readme.includes(`\`${PASSPHRASE}\``))
})

test('every mentioned npm script exists', () => {
  const named = texts.flatMap((tokens) => tokens.flatMap(({ raw }) => raw.match(/(?<=npm run )[\w:-]+/g) ?? []))
  assert.ok(named.length > 10)
  assert.deepEqual(
    [...new Set(named)].filter((script) => !(script in packageJson.scripts)),
    [],
  )
})

test('each page that a screen links to exists, with its section', () => {
  const { pages } = readDocs(join(root, 'docs'))
  const roles = ['account-owner', 'account-finance', 'partner', 'admin', undefined] as const
  const ofPartners = shippedLanguages.map((language) =>
    withLanguage(language, () => aboutPage('partner', '/partner/settings', undefined)),
  )
  assert.equal(new Set(ofPartners).size, shippedLanguages.length)
  for (const address of [...Object.values(aboutPages), ...roles.map(firstDocsPage), ...ofPartners, HTTPS_STEPS]) {
    const [path, anchor] = address.split('#') as [string, string?]
    const page = [...pages.values()].find(({ name }) => toDocsAddress(name) === path)
    assert.ok(page && (!anchor || page.anchors.has(anchor)), address)
  }
})

test('every recipe is tried by a test', async () => {
  const pages = (await readdir(join(root, 'docs/recipes'))).filter((file) => file !== 'README.md')
  const tests = await readFile(join(root, 'test/journeys/recipes.spec.ts'), 'utf8')
  assert.deepEqual(
    tests
      .match(/(?<=followRecipe\(site, ')[^']+/g)
      ?.map((name) => `${name}.md`)
      .toSorted(),
    pages.toSorted(),
  )
})

test('the architecture lists every module of the server and every feature', async () => {
  const page = await readFile(join(root, 'docs/architecture.md'), 'utf8')
  const layers = ['platform', 'program', 'integrations']
  const rooms = await Promise.all(layers.map((layer) => readdir(join(root, 'server', layer), { withFileTypes: true })))
  const features = await readdir(join(root, 'features'), { withFileTypes: true })
  const folders = [...rooms.flat(), ...features].filter((entry) => entry.isDirectory())
  const missing = folders.filter(({ name }) => !page.includes(`\`${name}/\``))
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  )
})

test('the documented signature check accepts webhook signatures, and nothing else', async () => {
  const { text } = blocks.find(({ text }) => text.includes('export function isGenuine'))!
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(text)}`)
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const now = Math.floor(Date.now() / 1000)
  const sign = (at: number, body: string) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,AAAA v1,${createHmac('sha256', Buffer.alloc(32, 7)).update(`msg_1.${at}.${body}`).digest('base64')}`,
  })
  assert.equal(isGenuine(sign(now, '{}'), '{}', secret), true)
  assert.equal(isGenuine(sign(now, '{}'), '{ }', secret), false)
  assert.equal(isGenuine(sign(now - 301, '{}'), '{}', secret), false)
})

const labelOf = (setting: keyof typeof settings) => `“${retentionWords[setting].replace(/ \(.*/, '')}”`
const settings = { rawDataDays: 'days', idleLeadMonths: 'months', payeeYears: 'years' } as const
const ends: Record<string, string> = {
  emptied: 'emptied',
  deleted: 'deleted',
  untilRecordsEnd: 'emptied after “Records until”',
}

/** Returns for how long a table's personal values of a person are kept. */
function describeRetention(table: string, of: PersonKind, how: string): string {
  const days = keptDays[table as keyof typeof keptDays] as number | undefined
  const setting = keptByAccount[table as keyof typeof keptByAccount]
  if (setting === 'idleLeadMonths') return `as long as the account, or ${labelOf(setting)}`
  if (days) return `${days} ${days === 1 ? 'day' : 'days'}${setting ? `, or ${labelOf(setting)} if shorter` : ''}`
  if (how === 'untilRecordsEnd') return `as long as the account; ${labelOf('payeeYears')} once the partner is erased`
  return `as long as the ${of === 'user' ? 'user' : 'account'}`
}

test('docs/concepts/retention.md has every personal column, and its time', async () => {
  const file = join(root, 'docs/concepts/retention.md')
  const doc = await readFile(file, 'utf8')
  const rows = [...listTables()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([table, { personal = [] }]) => {
      const groups = Map.groupBy(personal, ({ of, how }) => `${of} ${how}`)
      return [...groups.values()].map((group) => {
        const { of, how } = group[0]!
        const columns = group.flatMap(({ columns }) => columns).map((column) => `\`${column}\``)
        return `| \`${table}\` | ${of} | ${columns.join(', ')} | ${describeRetention(table, of, how)} | ${ends[how]} |`
      })
    })
  const head = '| table | about | columns | kept for | after an erasure |\n|---|---|---|---|---|\n'
  const generated = `${doc.split(head)[0]}${head}${rows.join('\n')}\n`
  if (process.env.UPDATE_DOCS) await writeFile(file, generated)
  else assert.equal(doc, generated)

  // the table of the settings, against the schema and the screen
  const change = AccountChange.shape.retention.unwrap().shape
  for (const setting of Object.keys(settings) as (keyof typeof settings)[]) {
    const [, least, most] =
      new RegExp(`\\| ${labelOf(setting).slice(1, -1)} \\(\`${setting}\`\\) \\|[^|]*\\| (\\d+)[^|]*\\| (\\d+)`).exec(
        doc,
      ) ?? []
    const accepts = (value: number) => change[setting].safeParse(value).success
    assert.deepEqual(
      [least, most].map(Number).flatMap((value) => [value - 1, value, value + 1].map(accepts)),
      [false, true, true, true, true, false],
      setting,
    )
  }
})
