import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ADMINISTRATOR, callsTo, expectOk } from './support/app.ts'
import { atOnce, calls, root, untilStopped } from './support/docs-commands.ts'
import { aSellingAccount } from './support/running.ts'

// Runs the commands of the docs that docs.test.ts assigns to no other test.

const folder = await mkdtemp(join(tmpdir(), 'tributary-docs-'))
after(() => rm(folder, { recursive: true, force: true }))

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

/** Runs a command as a shell does until it is up; `end` sends Ctrl-C. */
async function started(command: string) {
  const variables = { ...OF_THE_PRODUCT, DATA_DIR: await mkdtemp(join(folder, 'data-')) }
  const child = spawn('sh', ['-c', command], { cwd: root, env: environment(variables), detached: true })
  const ended = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece))
  async function end() {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT')
    await ended
  }
  for (const until = Date.now() + 300_000; Date.now() < until && child.exitCode === null; await sleep(20)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors
    const [, address] = untilStopped[command]!.exec(output.replace(/\u001b\[\d+m/g, '')) ?? []
    if (address) return { address, end }
  }
  await end()
  throw new Error(`${command}: ${output}`)
}

test('the documented start works, and the documented calls arrive', async () => {
  const { address, end } = await started('npm start')
  try {
    const api = callsTo(address)
    const { id, token, apiKey } = await aSellingAccount({ url: address, api })
    const body = { name: 'App', rights: ['partners'] }
    const { key } = expectOk(await api('POST', `/accounts/${id}/api-keys`, { token, body })).body
    const { body: group } = expectOk(
      await api('POST', `/accounts/${id}/groups`, { token, body: { name: 'Customers', kind: 'customers' } }),
    )
    const customer = { email: 'customer@example.com', groupId: group.id }
    const { body: partner } = expectOk(await api('POST', `/accounts/${id}/partners`, { token, body: customer }))
    const variables = {
      ...{ TRIBUTARY_URL: address, TRIBUTARY_API_KEY: apiKey },
      ...{ ACCOUNT_ID: id, TRIBUTARY_PARTNERS_KEY: key, PARTNER_ID: partner.id },
    }
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
  test(`${command} starts listening`, async () => {
    const { address, end } = await started(command)
    try {
      assert.equal((await fetch(address)).status, 200)
    } finally {
      await end()
    }
  })

for (const command of atOnce)
  test(`${command} succeeds`, async () => {
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: root, env: environment() })
    assert.match(stdout, /fail 0/)
  })
