import { type Queryable, transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { sql } from '../../platform/database/sql.ts'
import type { Services } from '../../platform/services.ts'
import { addressOf, openCredentials, sealCredentials } from './secrets.ts'

/** As a release kept it that knew one key and one signing secret, each sealed for its own column. */
type FormerRow = {
  id: string
  accountId: string
  provider: string
  hookKey: string
  keySealed: Buffer | null
  webhookSecretSealed: Buffer | null
  credentialsSealed: Buffer | null
}

/**
 * Seals the key and the signing secret of former releases together, which the database cannot do by itself, and keeps
 * the address that was given to the provider. Runs at every start: a former release that still serves beside this one
 * writes where it always did, and what it wrote is the newer.
 */
export async function carryCredentials(services: Services): Promise<void> {
  const { found } = await services.db.one<{ found: boolean }>`select exists (select ${former}) as found`
  if (!found) return
  await transaction(services.db, async (tx) => {
    for (const row of await formerRows(tx)) {
      const credentials = { ...openCredentials(services.secrets, row), ...openFormer(services.secrets, row) }
      const url = addressOf(services.config, row.provider, row.hookKey)
      await tx.run`
        update provider_connections set credentials_sealed = ${sealCredentials(services.secrets, row, credentials)},
          key_sealed = null, webhook_secret_sealed = null, webhook_secret_set = ${'webhookSecret' in credentials},
          webhook_url = coalesce(webhook_url, ${url})
        where id = ${row.id}`
    }
  })
}

const former = sql`from provider_connections where key_sealed is not null or webhook_secret_sealed is not null`

const formerRows = (db: Queryable) => db.many<FormerRow>`
  select id, account_id, provider, hook_key, key_sealed, webhook_secret_sealed, credentials_sealed
  ${former} order by id for update`

/** Only Stripe could be connected then. */
function openFormer(secrets: Secrets, { id, accountId, keySealed, webhookSecretSealed }: FormerRow) {
  const open = (sealed: Buffer, column: string) =>
    secrets.open(sealed, `provider_connections|${column}|${id}|${accountId}`)
  return {
    ...(keySealed && { restrictedKey: open(keySealed, 'key_sealed') }),
    ...(webhookSecretSealed && { webhookSecret: open(webhookSecretSealed, 'webhook_secret_sealed') }),
  }
}
