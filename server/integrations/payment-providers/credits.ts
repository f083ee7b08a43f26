import type { Queryable } from '../../platform/database/pool.ts'
import { notFound, refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import type { ProviderCredits } from '../../program/access/provider-credits.ts'
import { getLiveConnection, providerFailed } from './connections.ts'
import { type Credentials, type CreditMaking, PaymentProviderError, type ProviderAccess } from './provider.ts'
import { type ConnectionRow, connectionById } from './queries.ts'
import { findAdapter } from './registry.ts'
import { getProviderAccess, openCredentials } from './secrets.ts'

/** A connection by which credit can be added. */
export type OpenCredits = { credits: CreditMaking; credentials: Credentials; reach: ProviderAccess; name: string }

/** Opens an account's connection; null if it ended, or if its provider adds no credit. */
export async function openCredits(services: Services, accountId: string, connectionId: string) {
  const connection = await connectionById(services.db, accountId, connectionId)
  return connection && !connection.disconnectedAt ? open(services, connection) : null
}

function open(services: Services, connection: ConnectionRow): OpenCredits | null {
  const adapter = findAdapter(connection.provider)
  const credentials = openCredentials(services.secrets, connection)
  if (!adapter?.credits || !credentials) return null
  const reach = getProviderAccess(services, adapter.provider)
  return { credits: adapter.credits, credentials, reach, name: adapter.name }
}

/** The checks of a group's connection, and of a customer whom the company names. */
export const providerCredits: ProviderCredits = {
  checkRight: (services, at) =>
    withCredits(services, at, 'reward.connectionId', ({ credits, credentials, reach }) =>
      credits.checkRight(credentials, reach),
    ),

  checkCustomer: (services, at) =>
    withCredits(services, at, 'customer.connectionId', async ({ credits, credentials, reach, name }) => {
      const found = await credits.findCustomer(credentials, reach, at.customerId)
      if (!found) throw wrongField('customer.customerId', 'unknown_customer', { provider: name })
    }),
}

async function withCredits(
  services: Services,
  { accountId, connectionId }: { accountId: string; connectionId: string },
  field: string,
  work: (open: OpenCredits) => Promise<void>,
) {
  const connection = await liveConnection(services.db, accountId, connectionId, field)
  const adapter = findAdapter(connection.provider)!
  const opened = open(services, connection)
  if (!opened) throw wrongField(field, 'provider_has_no_credit', { provider: adapter.name })
  try {
    await work(opened)
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    if (error.kind === 'forbidden' || error.kind === 'refused')
      throw refusal('credit_right_missing', { said: error.message })
    throw providerFailed(adapter, error)
  }
}

const liveConnection = (db: Queryable, accountId: string, connectionId: string, field: string) =>
  getLiveConnection(db, accountId, connectionId).catch((error: unknown) => {
    const isUnknown = (error as { code?: string }).code === notFound().code
    throw isUnknown ? wrongField(field, 'unknown_connection') : error
  })
