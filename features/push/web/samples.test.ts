import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { NewPushedLead } from '#contract/leads.ts'
import { upsertPartner } from '#contract/partners.ts'
import { createPortalSession } from '#contract/portal.ts'
import { NewPushedSale } from '#contract/sales.ts'
import { bodies, buildSample, type Language, languages, portalSamples, portalUser } from './samples.ts'

const run = promisify(execFile)

const received: { url?: string; authorization?: string; type?: string; body: unknown }[] = []
const server = createServer(async (request, response) => {
  const pieces = await request.toArray()
  const { authorization, 'content-type': type } = request.headers
  received.push({ url: request.url, authorization, type, body: JSON.parse(Buffer.concat(pieces).toString()) })
  response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"made"}')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`

const needed: Record<Language, string> = { curl: 'curl', node: process.execPath, python: 'python3', php: 'php' }

/** Languages that this machine can run. */
const runnable: Language[] = []
for (const language of languages)
  if (
    await run(needed[language], ['--version']).then(
      () => true,
      () => false,
    )
  )
    runnable.push(language)

test('the samples send what the calls accept', () => {
  assert.ok(NewPushedLead.safeParse(bodies.leads).success)
  assert.ok(NewPushedSale.safeParse(bodies.sales).success)
})

test('the samples of the portal run unchanged, as a shell runs them', async () => {
  received.length = 0
  const { partner, session, invite } = portalSamples(base, 'account-1')
  for (const text of [partner, session, invite])
    await run('sh', ['-c', text], { env: { ...process.env, TRIBUTARY_API_KEY: 'key_1', PARTNER_ID: 'partner-1' } })
  const sent = { authorization: 'Bearer key_1', type: 'application/json' }
  assert.deepEqual(received, [
    { url: '/api/v1/accounts/account-1/partners/by-external-id/user-1042', ...sent, body: portalUser },
    { url: '/api/v1/partners/partner-1/portal-sessions', ...sent, body: { kind: 'frame' } },
    { url: '/api/v1/partners/partner-1/portal-sessions', ...sent, body: { kind: 'frame', view: 'invite' } },
  ])
  for (const { body } of received.slice(1)) assert.ok(createPortalSession.body!.safeParse(body).success)
  assert.ok(upsertPartner.body!.safeParse(portalUser).success)
})

const programs: Record<Language, (text: string) => [string, string[]]> = {
  curl: (text) => ['sh', ['-c', text]],
  node: (text) => [process.execPath, ['--input-type=module', '-e', text]],
  python: (text) => ['python3', ['-c', text]],
  php: (text) => ['php', ['-r', text.replace('<?php', '')]],
}

for (const language of runnable)
  for (const what of ['leads', 'sales'] as const)
    test(`the ${language} sample of ${what} runs unchanged`, async () => {
      received.length = 0
      const [program, parameters] = programs[language](buildSample(language, what, base))
      const { stdout } = await run(program, parameters, { env: { ...process.env, TRIBUTARY_API_KEY: 'key_1' } })
      assert.match(stdout, /made/)
      assert.deepEqual(received, [
        { url: `/api/v1/push/${what}`, authorization: 'Bearer key_1', type: 'application/json', body: bodies[what] },
      ])
    })
