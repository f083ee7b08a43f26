import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noFraudRules } from '#contract/fraud.ts'
import { anAccount, expectOk, startApp } from '../test/support/app.ts'
import { aPayee } from '../test/support/payouts.ts'
import { freshDatabase } from '../test/support/postgres.ts'
import { transaction } from './platform/database/pool.ts'
import { createSecrets } from './platform/database/secrets.ts'
import { reencryptSecrets } from './reencrypt-secrets.ts'

test('after a change of the key, payout details are still known as those of another partner', async () => {
  const db = await freshDatabase()
  const [former, next] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
  const before = await startApp({ db, config: { secretKey: former } })
  const account = await anAccount(before)
  const rules = { ...noFraudRules, duplicatePartner: { action: 'hold' } }
  expectOk(await before.api('PUT', `/accounts/${account.id}/fraud-rules`, { token: account.token, body: rules }))
  const first = await aPayee(before, account)
  await transaction(db, (tx) =>
    reencryptSecrets(tx, { former: createSecrets(former), next: createSecrets(next), leaveUnreadable: false }),
  )
  const app = await startApp({ db, config: { secretKey: next } })
  await aPayee(app, account)
  const { items } = expectOk(await app.api('GET', `/accounts/${account.id}/cases`, { token: account.token })).body
  assert.deepEqual(
    items.map(({ findings }: { findings: { rule: string; partnerId: string }[] }) => findings[0]),
    [
      {
        rule: 'duplicate-partner',
        evidence: 'The payout details are those of another partner.',
        partnerId: first.id,
      },
    ],
  )
})
