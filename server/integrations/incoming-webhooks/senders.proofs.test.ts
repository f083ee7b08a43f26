import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { anAccount, ok, startApp } from '../../../test/support/app.ts'
import senders from './senders.proofs.json' with { type: 'json' }

// Bodies of known senders with made-up values, each sent with its sender's proof.

const app = await startApp({ config: { secretKey: randomBytes(32) } })
const account = await anAccount(app)
const call = (method: string, path: string, body?: unknown) => app.api(method, path, { token: account.token, body })

const KEY = randomBytes(24)
/** The secret of the standard's senders is the key in base64. */
const SECRET = `whsec_${KEY.toString('base64')}`

type Auth = {
  in?: string
  name?: string
  prefix?: string | null
  header?: string
  encoding?: string
  signed?: string
  layout?: string
  timestampHeader?: string | null
  idHeader?: string | null
  key?: string
}

function proven(auth: Auth, { url, body, at }: { url: string; body: string; at: Date }): Record<string, string> {
  const prefix = auth.prefix ?? ''
  if (auth.in) return auth.in === 'header' ? { [auth.name!]: prefix + SECRET } : {}
  const isMs = auth.timestampHeader && !auth.timestampHeader.startsWith('webhook')
  const time = String(isMs ? at.getTime() : Math.floor(at.getTime() / 1000))
  const said: Record<string, string> = { body, url, timestamp: time, id: 'evt-1' }
  const text = auth.signed!.replace(/\{(\w+)\}/g, (_, name) => said[name]!)
  const key = auth.key === 'standard' ? KEY : SECRET
  const signature =
    prefix +
    createHmac('sha256', key)
      .update(text)
      .digest(auth.encoding as 'hex' | 'base64')
  return {
    [auth.header!]: auth.layout === 'named' ? `t=${time},${signature}` : signature,
    ...(auth.timestampHeader && { [auth.timestampHeader]: time }),
    ...(auth.idHeader && { [auth.idHeader]: 'evt-1' }),
  }
}

for (const { sender, contentType, auth, dedupePath, body } of senders)
  test(`${sender} is taken by its own proof, once, and by no other`, async () => {
    const { type: _, ...how } = auth as Auth & { type: string }
    const { body: hook } = ok(
      await call('POST', `/accounts/${account.id}/incoming-webhooks`, {
        ...{ name: sender, target: 'lead', dedupePath, mapping: [{ field: 'email', path: 'email' }] },
        auth: { ...auth, secret: SECRET },
      }),
    )
    const written = (secret: string) => {
      const filled = JSON.parse(JSON.stringify(body).replaceAll('{secret}', secret))
      return contentType.includes('form') ? String(new URLSearchParams(filled)) : JSON.stringify(filled)
    }
    const send = async (sent: string, headers: Record<string, string>) => {
      const told = { 'content-type': contentType, ...headers }
      const response = await fetch(hook.url, { method: 'POST', body: sent, headers: told })
      return { status: response.status, ...(await response.json()) }
    }
    const at = app.clock.now()
    const good = written(SECRET)
    const first = await send(good, proven(how, { url: hook.url, body: good, at }))
    assert.equal(first.status, 200)
    const again = await send(good, proven(how, { url: hook.url, body: good, at }))
    assert.deepEqual([again.status, again.deliveryId], [200, first.deliveryId])

    const other = written('another')
    const headers = proven(how, { url: hook.url, body: `${other} `, at })
    const wrong = how.in === 'header' ? { [how.name!]: `${how.prefix ?? ''}another` } : headers
    assert.equal((await send(other, wrong)).status, 401)
    assert.equal((await send(other, {})).status, 401)
    if (how.signed?.includes('{timestamp}')) {
      const late = new Date(at.getTime() - 301_000)
      const { status, error } = await send(good, proven(how, { url: hook.url, body: good, at: late }))
      assert.deepEqual([status, error.reason], [401, 'incoming_signature_late'])
    }
    const deliveries = ok(await call('GET', `/incoming-webhooks/${hook.id}/deliveries`)).body.items
    assert.ok(!JSON.stringify(deliveries).includes(SECRET))
    const { payload } = deliveries.find(({ id }: { id: string }) => id === first.deliveryId)
    if (how.in === 'field') assert.ok(!(how.name! in payload))
  })
