import type { z } from 'zod'
import type { CodeRule, Connection, Coupon, NewCodeRule } from '#contract/payment-providers.ts'
import { type By, changesOf } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { recorded } from '../../platform/events/happened.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { setCodeRule } from './code-queries.ts'
import { getLiveConnection, providerFailed } from './connections.ts'
import { presentConnection } from './present-connections.ts'
import { type CodeMaking, type Credentials, PaymentProviderError, type ProviderAccess } from './provider.ts'
import type { ConnectionRow } from './queries.ts'
import { adapterOf } from './registry.ts'
import { openCredentials, reachOf } from './secrets.ts'

/** Lists the coupons from which codes can be made. Refuses: `codes_not_made`, `code_right_missing`. */
export async function listCoupons(services: Services, accountId: string, connectionId: string) {
  const connection = await getLiveConnection(services.db, accountId, connectionId)
  return { items: await ask(services, connection, couponsOf) }
}

const couponsOf = async (codes: CodeMaking, credentials: Credentials, reach: ProviderAccess): Promise<Coupon[]> =>
  (await codes.coupons?.(credentials, reach)) ?? []

/**
 * Switches the making of codes on, after checking that the key may make them, or off. Codes made before stay.
 * Refuses: `code_right_missing`, with what to add; `code_rule_incomplete`; `provider_away`.
 */
export async function saveCodeRule(
  services: Services,
  by: By,
  accountId: string,
  connectionId: string,
  given: z.output<typeof NewCodeRule> | null,
): Promise<Connection> {
  const { db } = services
  const connection = await getLiveConnection(db, accountId, connectionId)
  const rule = given && (await checked(services, connection, given))
  await transaction(db, async (tx) => {
    const before = await presentConnection(tx, accountId, connectionId)
    await setCodeRule(tx, connection.shopId, rule)
    const changes = changesOf({ codeRule: before.codeRule }, { codeRule: rule })
    if (Object.keys(changes).length > 0)
      await recorded(tx, by, accountId, 'payment-provider.code-rule-saved', { id: connectionId, changes })
  })
  return presentConnection(db, accountId, connectionId)
}

async function checked(
  services: Services,
  connection: ConnectionRow,
  { when, pattern, couponId = null, percentOff = null, amountOff = null }: z.output<typeof NewCodeRule>,
): Promise<CodeRule> {
  const coupons = await ask(services, connection, async (codes, credentials, reach) => {
    await codes.tryRight(credentials, reach)
    return codes.kind === 'coupon' ? couponsOf(codes, credentials, reach) : null
  })
  if (coupons && !coupons.some(({ id }) => id === couponId))
    throw wrongField('rule.couponId', 'code_rule_incomplete', { mistake: 'Choose a coupon' })
  if (!coupons && (percentOff === null) === (amountOff === null))
    throw wrongField('rule.percentOff', 'code_rule_incomplete', { mistake: 'Enter a percentage or an amount' })
  return coupons
    ? { when, pattern, couponId, percentOff: null, amountOff: null }
    : { when, pattern, couponId: null, percentOff, amountOff }
}

async function ask<T>(
  services: Services,
  connection: ConnectionRow,
  work: (codes: CodeMaking, credentials: Credentials, reach: ProviderAccess) => Promise<T>,
): Promise<T> {
  const adapter = adapterOf(connection.provider)!
  const credentials = openCredentials(services.secrets, connection)
  if (!adapter.codes || !credentials) throw refusal('codes_not_made', { provider: adapter.name })
  try {
    return await work(adapter.codes, credentials, reachOf(services, adapter.provider))
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    if (error.kind === 'forbidden' || error.kind === 'refused')
      throw refusal('code_right_missing', { said: error.message })
    throw providerFailed(adapter, error)
  }
}
