import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { commands } from './contents.ts'

const script = fileURLToPath(new URL('../tributary.js', import.meta.url))
const run = (...given: string[]) =>
  promisify(execFile)(process.execPath, [script, ...given], {
    env: { PATH: process.env.PATH },
    maxBuffer: 16_777_216,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

test('help lists every command, each command has its own help, and neither opens a connection', async () => {
  const help = await run('--help')
  assert.deepEqual([help.code, help.stderr], [0, ''])
  for (const [name, load] of Object.entries(commands)) {
    assert.match(help.stdout, new RegExp(`^  ${name} `, 'm'))
    const { define } = await load()
    assert.ok(define)
    const own = await run(name, '--help')
    assert.deepEqual([own.code, own.stderr], [0, ''], name)
    assert.match(own.stdout, new RegExp(`^Usage: tributary ${name}\\b`))
  }
})

test('an unknown command exits with 64 and points to help', async () => {
  const mistakes: [given: string[], words: RegExp][] = [
    [['bakcup'], /unknown command 'bakcup'/],
    [['constructor'], /unknown command 'constructor'/],
    [['verify-ledger', '--jsn'], /unknown option '--jsn'\n\(Did you mean --json\?\)/],
    [['verify-ledger', '--digest', '3'], /argument '3' is invalid\. Allowed choices are 1, 2\./],
    [['import'], /missing required argument 'file'/],
    [['import', 'one.zip', 'two.zip'], /too many arguments/],
    [[], /^$|Usage: tributary/],
  ]
  for (const [given, words] of mistakes) {
    const { code, stderr } = await run(...given)
    assert.equal(code, 64, given.join(' '))
    assert.match(stderr, words)
    if (given.length > 0) assert.match(stderr, /npx tributary --help lists all commands\.\n$/)
  }
})

test('a misspelled DATA_DIR is named, and no database is created there', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-none-'))
  t.after(() => rm(folder, { recursive: true }))
  const dataDir = join(folder, 'dtaa')
  for (const given of ['verify-ledger', 'account list', 'admin list', 'rekey', `backup ${join(folder, 'x.zip')}`]) {
    const { code, stderr } = await promisify(execFile)(process.execPath, [script, ...given.split(' ')], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    }).catch((error) => error)
    assert.equal(code, 1, given)
    assert.match(stderr, /^DATA_DIR holds ".*dtaa"; it should hold the data folder of a server .+\.\n$/)
    assert.deepEqual(await readdir(folder), [], given)
  }
})

/** A preloaded module that simulates a Node.js of this version, without later features. */
const older = (version: string) =>
  `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: ${JSON.stringify(version)} } })
    const url = 'data:text/javascript,export default {}'
    const missing = ['node:module', 'node:crypto']
    registerHooks({ resolve: (name, from, next) => (missing.includes(name) ? { url, shortCircuit: true } : next(name, from)) })`)}`

test('a Node version that is too old is reported in one line, by commands and at start', async () => {
  for (const file of [script, fileURLToPath(new URL('../start.js', import.meta.url))])
    for (const version of ['20.9.0', '24.11.1']) {
      const { code, stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', older(version), file], {
        env: { PATH: process.env.PATH },
      }).catch((error) => error)
      assert.deepEqual([code, stdout], [1, ''], file)
      assert.match(
        stderr,
        new RegExp(`^Tributary needs Node 24\\.\\d+ or newer, and this is ${version}\\. .+\\n$`),
        file,
      )
    }
})

test('the OpenAPI document is printed in full', async () => {
  const { code, stdout } = await run('openapi')
  assert.equal(code, 0)
  assert.equal(JSON.parse(stdout).openapi, '3.1.0')
})
