import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { signed, signingKey } from '../../../server/integrations/outgoing-webhooks/body.ts'
import { eventually } from '../../../test/support/app.ts'
import { type SampleLanguage, sampleLanguages, samples } from './samples.ts'

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'tributary-samples-'))
after(() => rm(folder, { recursive: true }))

/** The program, and what it is given for a sample that stands in a file and listens on a port. */
type Runner = { program: string; version: string; parameters: (file: string, port: number, text: string) => string[] }

// From a text Node finds the packages of the folder it is run in.
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

/** Below those that the system gives to whoever asks for any, such as another test. */
const portOf = (language: SampleLanguage) => 20_000 + (process.pid % 2000) * 5 + sampleLanguages.indexOf(language)

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
const sign = (secrets: string[], at: Date) => signed('e', body, secrets.map(signingKey), at)

for (const language of sampleLanguages) {
  const runner = runners[language]
  test(`the ${language} sample takes our deliveries and no others`, { skip: !(await canRun(runner)) }, async (t) => {
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

/** Runs a sample on a port of its own; answers how to send it something, which tells the status. */
async function start(t: TestContext, { program, parameters }: Runner, sample: string, language: SampleLanguage) {
  const port = portOf(language)
  const text = sample.replace('3000', String(port))
  const file = join(folder, `${language}.${language === 'go' ? 'go' : 'txt'}`)
  await writeFile(file, text)
  const child = spawn(program, parameters(file, port, text), {
    env: { ...process.env, WEBHOOK_SECRET: secret },
    stdio: 'ignore',
    detached: true,
  })
  t.after(async () => {
    // What `go run` has built is a child of its own.
    process.kill(-(child.pid as number), 'SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const send = async (body: string, headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })).status
  await eventually(() => send('', {}).catch(() => undefined), 60_000)
  return send
}
