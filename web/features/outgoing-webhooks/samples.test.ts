import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { buildSignatureHeaders, signingKey } from '../../../server/integrations/outgoing-webhooks/body.ts'
import { waitUntil } from '../../../test/support/app.ts'
import { type SampleLanguage, sampleLanguages, samples } from './samples.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'tributary-samples-'))
after(() => rm(folder, { recursive: true }))

/** The program and its arguments for a sample that is stored in `file` and listens on `port`. */
type Runner = { program: string; version: string; parameters: (file: string, port: number, text: string) => string[] }

// Passed as text, so that Node resolves packages from the working directory.
const node: Runner = {
  program: process.execPath,
  version: '--version',
  parameters: (_file, _port, text) => ['--input-type=module', '-e', text],
}
const runners: Record<SampleLanguage, Runner> = {
  package: node,
  node,
  python: { program: 'python3', version: '--version', parameters: (file) => [file] },
  php: { program: 'php', version: '--version', parameters: (file, port) => ['-S', `127.0.0.1:${port}`, file] },
  go: { program: 'go', version: 'version', parameters: (file) => ['run', file] },
}

/** Free at this moment; another process may still use it first. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const canRun = ({ program, version }: Runner) =>
  run(program, [version]).then(
    () => true,
    () => false,
  )

const [secret, former, strange] = [1, 2, 3].map((fill) => `whsec_${Buffer.alloc(32, fill).toString('base64')}`) as [
  string,
  string,
  string,
]
const body = JSON.stringify({ id: 'e', type: 'lead.created', data: { object: { email: 'zoë@customer.example' } } })
const sign = (secrets: string[], at: Date) => buildSignatureHeaders('e', body, secrets.map(signingKey), at)

// checked before the first test is defined: the folder is deleted once no test is left
const able = await Promise.all(sampleLanguages.map((language) => canRun(runners[language])))

for (const [at, language] of sampleLanguages.entries()) {
  const runner = runners[language]
  test(`the ${language} sample accepts our deliveries and no others`, { skip: !able[at] }, async (t) => {
    const send = await start(t, runner, samples[language], language)
    const now = new Date()
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
    const right = sign([secret], now)
    assert.equal(await send(body, right), 204)
    assert.equal(await send(body, sign([former, secret], now)), 204)
    assert.equal(await send(body, sign([former, strange], now)), 401)
    assert.equal(await send(body.replace('lead', 'sale'), right), 401)
    assert.equal(await send(body, { ...right, 'webhook-id': 'f' }), 401)
    assert.equal(await send(body, sign([secret], ago(360))), 401)
    assert.equal(await send(body, sign([secret], ago(-360))), 401)
    assert.equal(await send(body, { ...right, 'webhook-timestamp': 'soon' }), 401)
    assert.equal(await send(body, {}), 401)
    assert.equal(await send(body, right), 204)
  })
}

type Send = (body: string, headers: Record<string, string>) => Promise<number>

/** Runs a sample on a free port; returns a function that sends it a request and resolves to the status. */
async function start(t: TestContext, runner: Runner, sample: string, language: SampleLanguage): Promise<Send> {
  for (let left = 5; left > 0; left--) {
    const send = await startAt(t, await freePort(), { ...runner, sample, language })
    // another process took the port first
    if (send) return send
  }
  throw new Error(`the ${language} sample ended at every start`)
}

async function startAt(
  t: TestContext,
  port: number,
  { program, parameters, sample, language }: Runner & { sample: string; language: SampleLanguage },
): Promise<Send | undefined> {
  const text = sample.replace('3000', String(port))
  const file = join(folder, `${language}.${language === 'go' ? 'go' : 'txt'}`)
  await writeFile(file, text)
  const child = spawn(program, parameters(file, port, text), {
    env: { ...process.env, WEBHOOK_SECRET: secret },
    stdio: 'ignore',
    detached: true,
  })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  t.after(async () => {
    if (hasEnded()) return
    // The program `go run` has built is its own child.
    process.kill(-(child.pid as number), 'SIGKILL')
    await once(child, 'exit')
  })
  const send: Send = async (body, headers) => {
    const signal = AbortSignal.timeout(10_000)
    return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers, signal })).status
  }
  const look = async () => (hasEnded() ? 'ended' : await send('', {}).catch(() => undefined))
  return (await waitUntil(look, 60_000)) === 'ended' ? undefined : send
}
