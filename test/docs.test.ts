import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { marked, type Tokens } from 'marked'
import packageJson from '../package.json' with { type: 'json' }
import { everyToken, readDocs } from '../web/build/docs-markdown.ts'
import { ADMINISTRATOR, callsTo } from './support/app.ts'
import { aSellingAccount } from './support/running.ts'

// Every command of the docs and of README.md is run: here, or by the test named here, or there is a reason why none can.

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'tributary-docs-'))
after(() => rm(folder, { recursive: true, force: true }))

const byOtherTests: Record<string, string> = {
  'npx tributary account list': 'server/commands/move-account.slow.test.ts',
  'npx tributary export ACCOUNT_ID account.zip': 'server/commands/move-account.slow.test.ts',
  'npx tributary import account.zip': 'server/commands/move-account.slow.test.ts',
  'npx tributary backup tributary.zip': 'server/commands/restore.slow.test.ts',
  'npx tributary restore tributary.zip': 'server/commands/restore.slow.test.ts',
  'npx tributary restore tributary.zip --check': 'server/commands/restore.slow.test.ts',
  'npm run demo': 'demo/demo.test.ts',
  'npm run client': 'client/generate/api.test.ts',
}

const MEASURES = 'it measures for minutes, and refuses a machine on which tests run'
const byNone: Record<string, string> = {
  'npm ci': 'it takes the packages away that the tests run with',
  'npm test': 'it runs the tests, as do the next two',
  'npm test -- --changed': 'it runs tests',
  'npm run test:all': 'it is what runs this test',
  'npm run check': 'it is the first three stages of npm test',
  'npm run screens': 'it takes hundreds of pictures, for minutes',
  'npm run bench': MEASURES,
  'npm run bench -- redirect': MEASURES,
  'npm run bench -- first-load': MEASURES,
  'npm run bench -- lists': MEASURES,
  'npm run bench -- growth': MEASURES,
  'npm run bench -- clicks': MEASURES,
  'npm run bench -- soak --minutes 60': MEASURES,
  'npm run bench -- felt': MEASURES,
  'npm run bench -- statistics --full': MEASURES,
  'npm run bench -- --quick': MEASURES,
  'npm run bench -- --json run.json': MEASURES,
  'npm run bench -- --compare run.json': MEASURES,
  'npm run bench -- --anyway': MEASURES,
}

/** Of what a machine has or has not, by how they begin. */
const ofTheMachine: Record<string, string> = {
  'docker ':
    'it needs a container engine; deploy/image.slow.test.ts runs the steps of the image, compose.test.ts reads the files',
  'cp deploy/env.example ': 'it prepares what Docker Compose reads',
  'chmod 600 deploy/.env': 'it prepares what Docker Compose reads',
  'sudo ':
    'it changes the machine; deploy/image.slow.test.ts runs the unit’s command, nginx.slow.test.ts the configuration',
  'journalctl ': 'it reads what systemd keeps',
}

/** What goes on until it is stopped, and what it says once it is up. */
const untilStopped: Record<string, RegExp> = {
  'npm start': /listens on (\S+)/,
  'npm run dev': /listens on (\S+)/,
  'npx vite': /Local:\s+(\S+)/,
}
const atOnce = ['node --test server/platform/config/config.test.ts']

const docs = readDocs(join(root, 'docs'))
const readme = await readFile(join(root, 'README.md'), 'utf8')
const texts = [...docs.pages.values()].map(({ tokens }) => tokens).concat([marked.lexer(readme)])
const blocks = texts.flatMap((tokens) => everyToken(tokens)).filter((token) => token.type === 'code') as Tokens.Code[]
/** Also what is only indented. */
const isShell = ({ lang, text }: Tokens.Code) => lang === 'sh' || (!lang && /^(npm|npx|node|curl) /.test(text))
const shell = blocks.filter(isShell).map(({ text }) => text)
const calls = shell.filter((text) => text.startsWith('curl '))
const commands = [
  ...new Set(
    shell
      .filter((text) => !calls.includes(text))
      .flatMap((text) =>
        text
          .replaceAll(/\\\n */g, '')
          .split('\n')
          .map((line) => line.replace(/\s+#.*$/, '').trim()),
      ),
  ),
]

const environment = (variables: Record<string, string> = {}) => ({
  PATH: [join(root, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: process.env.HOME,
  ...variables,
})

const OF_THE_PRODUCT = {
  PORT: '0',
  LOG_LEVEL: 'warn',
  RATE_LIMIT_FACTOR: '0',
  FX_RATES_URL: 'http://127.0.0.1:9/no-rates.xml',
  ADMIN_EMAIL: ADMINISTRATOR.email,
  ADMIN_PASSWORD: ADMINISTRATOR.password,
}

/** Runs a command as a shell does until it is up; `end` is Ctrl-C. */
async function started(command: string) {
  const variables = { ...OF_THE_PRODUCT, DATA_DIR: await mkdtemp(join(folder, 'data-')) }
  const child = spawn('sh', ['-c', command], { cwd: root, env: environment(variables), detached: true })
  const ended = once(child, 'close')
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (said += piece))
  async function end() {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT')
    await ended
  }
  for (const until = Date.now() + 300_000; Date.now() < until && child.exitCode === null; await sleep(20)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors
    const [, address] = untilStopped[command]!.exec(said.replace(/\u001b\[\d+m/g, '')) ?? []
    if (address) return { address, end }
  }
  await end()
  throw new Error(`${command}: ${said}`)
}

const beginningOf = (command: string) => Object.keys(ofTheMachine).find((beginning) => command.startsWith(beginning))

test('every command is run by a test, or has a reason why it is not', async () => {
  const known = [byOtherTests, byNone, untilStopped].flatMap((list) => Object.keys(list)).concat(atOnce)
  const ours = commands.filter((command) => !beginningOf(command))
  assert.deepEqual(ours.toSorted(), known.toSorted())
  const used = new Set(commands.flatMap((command) => beginningOf(command) ?? []))
  assert.deepEqual([...used].toSorted(), Object.keys(ofTheMachine).toSorted())
  for (const path of Object.values(byOtherTests)) await access(join(root, path))
  const languages = new Set(blocks.flatMap(({ lang }) => lang || []))
  // no command hides below another word for a shell
  for (const known of ['sh', 'js', 'tsx', 'json', 'html', 'sql', 'ini']) languages.delete(known)
  assert.deepEqual([...languages], [])
})

test('every script of npm that is named anywhere is there', () => {
  const named = texts.flatMap((tokens) => tokens.flatMap(({ raw }) => raw.match(/(?<=npm run )[\w-]+/g) ?? []))
  assert.ok(named.length > 10)
  assert.deepEqual(
    [...new Set(named)].filter((script) => !(script in packageJson.scripts)),
    [],
  )
})

test('what is said to start the product starts it, and what is sent to it arrives', async () => {
  const { address, end } = await started('npm start')
  try {
    const { apiKey } = await aSellingAccount({ url: address, api: callsTo(address) })
    const variables = { TRIBUTARY_URL: address, TRIBUTARY_API_KEY: apiKey }
    assert.ok(calls.length >= 4)
    for (const call of calls) {
      const options = { env: environment(variables) }
      const { stdout } = await promisify(execFile)('sh', ['-c', call.replace(/^curl /, 'curl -sSf ')], options)
      const { results = [{ error: null }] } = JSON.parse(stdout)
      for (const { error } of results) assert.equal(error, null, call)
    }
  } finally {
    await end()
  }
})

for (const command of ['npm run dev', 'npx vite'])
  test(`${command} listens`, async () => {
    const { address, end } = await started(command)
    try {
      assert.equal((await fetch(address)).status, 200)
    } finally {
      await end()
    }
  })

for (const command of atOnce)
  test(`${command} passes`, async () => {
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: root, env: environment() })
    assert.match(stdout, /fail 0/)
  })
