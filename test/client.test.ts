import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { formerSchemas } from '#contract/former-names.ts'
import { ConnectionError, Tributary, verifyWebhook, WebhookVerificationError } from '../client/dist/index.js'
import { fakeReceiver } from './fakes/receiver.ts'
import { anAccount, anEmail, aPartner, expectOk, PASSWORD, startApp, waitUntil } from './support/app.ts'

// The published client, against the product itself.

const app = await startApp({ worker: true, config: { allowPrivateWebhookTargets: true } })
const account = await anAccount(app)
const tributary = new Tributary({ baseUrl: app.url, token: account.token })
const noWait = { wait: async () => {} }

/** Passes calls on to the product, and drops the answers of the first few after their work was done. */
async function losing(answers: number) {
  const passed: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const { authorization = '', 'idempotency-key': key = '' } = request.headers as Record<string, string>
    const answer = await fetch(app.url + request.url, {
      method: request.method!,
      headers: { authorization, 'idempotency-key': key, 'content-type': 'application/json' },
      body,
    })
    const text = await answer.text()
    passed.push(answer.headers.get('idempotency-replayed') ?? undefined)
    if (passed.length <= answers) return response.destroy()
    return response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, passed }
}

test('a response lost after the work was done creates one object, and the caller gets it', async () => {
  const { baseUrl, passed } = await losing(2)
  const client = new Tributary({ baseUrl, token: account.token, ...noWait })
  const email = anEmail('lost')
  const lead = await client.leads.create(account.id, { email })
  assert.deepEqual(passed, [undefined, 'true', 'true'])
  const { items, total } = await tributary.leads.list(account.id, { search: email })
  assert.deepEqual([total, items[0]?.id], [1, lead.id])
})

test('a caller who gives up and returns later with their own key still creates one object', async () => {
  const { baseUrl } = await losing(1)
  const client = new Tributary({ baseUrl, token: account.token, retries: 0 })
  const email = anEmail('later')
  const create = () => client.leads.create(account.id, { email }, { idempotencyKey: `lead ${email}` })
  await assert.rejects(create, ConnectionError)
  const { id } = await create()
  const { total, items } = await tributary.leads.list(account.id, { search: email })
  assert.deepEqual([total, items[0]?.id], [1, id])
})

test('the same call from many processes at once under one key creates one object, and all get it', async () => {
  const email = anEmail('crowd')
  const options = { idempotencyKey: `crowd ${email}`, retries: 10_000 }
  const made = await Promise.all(
    Array.from({ length: 8 }, () =>
      new Tributary({ baseUrl: app.url, token: account.token, wait: () => new Promise(setImmediate) }).leads.create(
        account.id,
        { email },
        options,
      ),
    ),
  )
  assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  assert.equal((await tributary.leads.list(account.id, { search: email })).total, 1)
})

test('a list of 250 is read completely while it grows: nothing twice, nothing skipped, in both directions', async () => {
  const own = await anAccount(app)
  const client = new Tributary({ baseUrl: app.url, token: own.token })
  const { apiKey } = await client.accounts.renewApiKey(own.id)
  const push = new Tributary({ baseUrl: app.url, apiKey: apiKey! }).push
  const rows = (count: number) => Array.from({ length: count }, () => ({ email: anEmail('many') }))
  for (const count of [100, 100, 50]) {
    const { results } = await push.leads(rows(count))
    assert.ok(results.every(({ status }) => status === 201))
  }
  const known = new Set((await Array.fromAsync(client.leads.list(own.id))).map(({ id }) => id))
  assert.equal(known.size, 250)
  for (const sort of ['createdAt', '-createdAt', 'name'] as const) {
    const seen: string[] = []
    for await (const page of client.leads.list(own.id, { sort, limit: 40 }).pages()) {
      seen.push(...page.items.map(({ id }) => id))
      if (seen.length <= 200) await push.leads(rows(3))
    }
    assert.equal(new Set(seen).size, seen.length, `${sort}: nothing twice`)
    for (const id of known) assert.ok(seen.includes(id), `${sort}: nothing skipped`)
  }
})

test('a webhook of the product verifies, with the old and the new secret while both are valid', async () => {
  const receiver = await fakeReceiver()
  after(() => receiver.close())
  const { id, secret } = await tributary.outgoingWebhooks.create(account.id, {
    name: 'Receiver',
    url: receiver.url,
    events: ['lead.created'],
  })
  const email = anEmail('told')
  await tributary.leads.create(account.id, { email, lastName: 'Ōe 🚀' })
  const { headers, raw } = (await receiver.waitFor(1))[0]!
  const event = await verifyWebhook(raw, headers, secret)
  assert.ok(event.type === 'lead.created')
  assert.deepEqual([event.accountId, event.data.object.email, event.data.object.lastName], [account.id, email, 'Ōe 🚀'])
  const { secret: renewed } = await tributary.outgoingWebhooks.rotateOutgoingSecret(id)
  await assert.rejects(verifyWebhook(raw, headers, renewed), WebhookVerificationError)
  await tributary.outgoingWebhooks.test(id)
  const later = (await receiver.waitFor(2))[1]!
  for (const one of [secret, renewed])
    assert.equal((await verifyWebhook(later.raw, later.headers, one)).type, 'webhook.test')
})

// The samples of the README, run unchanged in a folder that has the client installed.

const root = fileURLToPath(new URL('../', import.meta.url))
const samples = [...(await readFile(`${root}client/README.md`, 'utf8')).matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, sample]) => sample!,
)
const folder = await mkdtemp(join(tmpdir(), 'tributary-samples-'))
after(() => rm(folder, { recursive: true }))
await mkdir(join(folder, 'node_modules'))
await symlink(`${root}client`, join(folder, 'node_modules', 'tributary-client'))
await writeFile(join(folder, 'package.json'), '{"type":"module"}')
for (const [index, sample] of samples.entries()) await writeFile(join(folder, `sample-${index}.js`), sample)
const run = (index: number, env: Record<string, string>) =>
  spawn(process.execPath, [`sample-${index}.js`], { cwd: folder, env: { ...process.env, ...env }, stdio: 'pipe' })

async function runToEnd(index: number, env: Record<string, string>) {
  const child = run(index, env)
  const [out, err] = await Promise.all([child.stdout.toArray(), child.stderr.toArray(), once(child, 'close')])
  assert.equal(err.join(''), '', `sample ${index}`)
  return out.join('').trim().split('\n')
}

test('the samples in the README do what they say', async () => {
  assert.equal(samples.length, 5)
  const own = await anAccount(app, { defaultCommissionSettings: { layerRates: [20] } })
  const jane = { firstName: 'Jane', lastName: 'Whitfield', referralCode: 'jane-whitfield' }
  await aPartner(app, own, jane)
  const { apiKey } = expectOk(await app.api('PUT', `/accounts/${own.id}/api-key`, { token: own.token })).body
  const env = {
    TRIBUTARY_URL: app.url,
    TRIBUTARY_API_KEY: apiKey,
    TRIBUTARY_EMAIL: own.ownerEmail,
    TRIBUTARY_PASSWORD: PASSWORD,
    TRIBUTARY_TOKEN: own.token,
    TRIBUTARY_ACCOUNT: own.id,
  }
  assert.deepEqual(await runToEnd(0, env), ['Jane Whitfield earns 9980'])
  assert.deepEqual(await runToEnd(1, env), ["[ 'account-owner' ]"])
  assert.deepEqual(await runToEnd(2, env), ['1 of 1, all', 'hannah'])
  assert.deepEqual(await runToEnd(3, env), ['Enter a valid email address'])
})

test('the receiver in the README accepts a signed delivery and no other', async () => {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const url = `http://127.0.0.1:${port}/`
  const { secret } = await tributary.outgoingWebhooks.create(account.id, {
    name: 'README',
    url,
    events: ['sale.created'],
  })
  const child = run(4, { PORT: String(port), TRIBUTARY_WEBHOOK_SECRET: secret })
  after(() => child.kill())
  const firstOutput = once(child.stdout, 'data')
  const unsigned = await waitUntil(() => fetch(url, { method: 'POST', body: '{}' }))
  assert.deepEqual([unsigned.status, await unsigned.text()], [400, 'headers-missing'])
  const { id } = await tributary.leads.create(account.id, { email: anEmail('buyer') })
  await tributary.sales.create(id, { amount: 499_00 })
  assert.equal(String(await firstOutput).trim(), 'A sale of 49900')
})

/** Compiles a program with the package alone. */
async function compile(file: string, program: string) {
  await writeFile(join(folder, file), program)
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'false']
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  execFileSync(tsc, [...options, '--types', '', '--lib', 'es2022,dom,dom.iterable,esnext.disposable', file], {
    cwd: folder,
    stdio: 'inherit',
  })
}

test('the package alone gives TypeScript each call’s parameters and results', () =>
  compile(
    'typed.ts',
    `import { Tributary, type Lead, verifyWebhook } from 'tributary-client'
     const tributary = new Tributary({ baseUrl: 'https://partners.example.com', apiKey: 'key' })
     const lead: Lead = await tributary.push.leads({ email: 'a@b.example' })
     const { results } = await tributary.push.leads([{ email: 'a@b.example' }])
     const status: number = results[0]!.status
     for await (const sale of tributary.sales.list('a', { status: ['completed', 'refunded'], onHold: true })) {
       const amount: number | null = sale.amount
     }
     const { totals } = await tributary.sales.listRevenueLines('a')
     const event = await verifyWebhook('', new Headers(), 'whsec_')
     if (event.type === 'payout.paid') { const number: number = event.data.object.statementNumber }
     // @ts-expect-error
     await tributary.partners.create('a', { firstName: 'No email' })
     // @ts-expect-error
     await tributary.leads.list('a', { status: ['sold'] })
     // @ts-expect-error
     await tributary.partners.create({ email: 'a@b.example' })
     // @ts-expect-error
     lead.nothing
     export { lead, status, totals }`,
  ))

test('a program with the names of 1.0 compiles, and its calls are made', async () => {
  const types = Object.entries(formerSchemas)
  await compile(
    'former.ts',
    `import type * as client from 'tributary-client'
     import { Tributary } from 'tributary-client'
     type Same<A, B> = A extends B ? (B extends A ? true : never) : never
     export const same: true[] = [
       ${types.map(([now, before]) => `true satisfies Same<client.${before}, client.${now}>`).join(',\n       ')}
     ]
     const tributary = new Tributary({ baseUrl: 'https://partners.example.com' })
     export const body: client.DraftPayoutFormBody | undefined = undefined
     export const calls: unknown[] = [
       tributary.accounts.orderPayoutMethods('a', { order: ['wise'] }), tributary.leads.getPerson('a'),
       tributary.outgoingWebhooks.resendFailed('a', { since: '2026-01-31T12:00:00.000Z' }),
     ]`,
  )
  const { id } = await tributary.leads.create(account.id, { email: anEmail('former') })
  const [before, now] = [await tributary.leads.getPerson(id), await tributary.leads.exportData(id)]
  assert.deepEqual(before.leads, now.leads)
})
