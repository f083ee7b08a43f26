import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount, anEmail, expectOk, startApp, waitUntil } from '../../../test/support/app.ts'
import { newId } from '../../platform/database/ids.ts'
import { relayOnce } from '../../platform/events/relay.ts'
import { listeners } from '../../queue-handlers.ts'
import { acquireLeases, releaseLease, renewLeases } from './leases.ts'

const app = await startApp({ config: { allowPrivateWebhookTargets: true } })
const { db } = app.services

test('a turn belongs to one sender, which takes it again if the response was lost', async () => {
  const { id: accountId, token } = await anAccount(app)
  const call = (path: string, body: unknown) => app.api('POST', `/accounts/${accountId}/${path}`, { token, body })
  const { body: webhook } = expectOk(
    await call('outgoing-webhooks', { name: 'CRM', url: 'http://127.0.0.1:9/', events: ['*'] }),
  )
  expectOk(await call('leads', { email: anEmail() }))
  const takenBy = async (who: string, underWay: string[] = []) =>
    (await acquireLeases(db, who, underWay, 10)).map(({ id }) => id)
  const [one, other] = [newId(), newId()]

  await waitUntil(async () => {
    await relayOnce(app.services, listeners)
    return (await takenBy(one)).length > 0
  })
  assert.deepEqual(await takenBy(other), [])
  assert.deepEqual(await takenBy(one, [webhook.id]), [], 'it delivers already')
  assert.deepEqual(await takenBy(one), [webhook.id], 'it was never told of its turn')

  await releaseLease(db, one, webhook.id)
  assert.deepEqual(await takenBy(other), [webhook.id])
  assert.deepEqual(await renewLeases(db, one, [webhook.id]), [])
})
