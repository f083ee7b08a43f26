import type { z } from 'zod'
import type { Coupon, NewCodeRule, PromotionCodeRule, ProviderConnection } from '#contract/payment-providers.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import { transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { setCodeRule } from './code-queries.ts'
import { getLiveConnection, providerFailed } from './connections.ts'
import { presentConnection } from './present-connections.ts'
import { type CodeMaking, type Credentials, PaymentProviderError, type ProviderAccess } from './provider.ts'
import type { ConnectionRow } from './queries.ts'
import { findAdapter } from './registry.ts'
import { getProviderAccess, openCredentials } from './secrets.ts'

/** Lists the coupons from which codes can be made. Refuses: `codes_not_made`, `code_right_missing`. */
export async function listCoupons(services: Services, accountId: string, connectionId: string) {
  const connection = await getLiveConnection(services.db, accountId, connectionId)
  return { items: await withCodeMaking(services, connection, couponsOf) }
}

const couponsOf = async (codes: CodeMaking, credentials: Credentials, reach: ProviderAccess): Promise<Coupon[]> =>
  (await codes.coupons?.(credentials, reach)) ?? []

/**
 * Switches the making of codes on, after checking that the key may make them, or off. Codes made before stay.
 * Refuses: `code_right_missing`, with what to add; `coupon_not_chosen`, `discount_not_chosen`; `provider_away`.
 */
export async function saveCodeRule(
  services: Services,
  by: Author,
  accountId: string,
  connectionId: string,
  given: z.output<typeof NewCodeRule> | null,
): Promise<ProviderConnection> {
  const { db } = services
  const connection = await getLiveConnection(db, accountId, connectionId)
  const rule = given && checked(given, await withCodeMaking(services, connection, tryCodes))
  await transaction(db, async (tx) => {
    const before = await presentConnection(tx, accountId, connectionId)
    await setCodeRule(tx, connection.shopId, rule)
    const changes = diffFields({ codeRule: before.codeRule }, { codeRule: rule })
    if (Object.keys(changes).length > 0)
      await recordActivity(tx, by, accountId, 'payment-provider.code-rule-saved', { id: connectionId, changes })
  })
  return presentConnection(db, accountId, connectionId)
}

/** Returns the rule to store; `coupons` is null if the provider makes the discount itself. */
function checked(
  { when, pattern, couponId = null, percentOff = null, amountOff = null }: z.output<typeof NewCodeRule>,
  coupons: Coupon[] | null,
): PromotionCodeRule {
  const plain = { when, pattern, couponId: null, percentOff: null, amountOff: null }
  if (coupons) {
    if (!coupons.some(({ id }) => id === couponId)) throw wrongField('rule.couponId', 'coupon_not_chosen')
    return { ...plain, couponId }
  }
  if ((percentOff === null) === (amountOff === null)) throw wrongField('rule.percentOff', 'discount_not_chosen')
  return { ...plain, percentOff, amountOff }
}

/** Returns the coupons to choose from, null if there are none to choose. Throws if the key may not make codes. */
async function tryCodes(codes: CodeMaking, credentials: Credentials, reach: ProviderAccess) {
  await codes.tryRight(credentials, reach)
  return codes.kind === 'coupon' ? couponsOf(codes, credentials, reach) : null
}

async function withCodeMaking<T>(
  services: Services,
  connection: ConnectionRow,
  work: (codes: CodeMaking, credentials: Credentials, reach: ProviderAccess) => Promise<T>,
): Promise<T> {
  const adapter = findAdapter(connection.provider)!
  const credentials = openCredentials(services.secrets, connection)
  if (!adapter.codes || !credentials) throw refusal('codes_not_made', { provider: adapter.name })
  try {
    return await work(adapter.codes, credentials, getProviderAccess(services, adapter.provider))
  } catch (error) {
    if (!(error instanceof PaymentProviderError)) throw error
    if (error.kind === 'forbidden' || error.kind === 'refused')
      throw refusal('code_right_missing', { said: error.message })
    throw providerFailed(adapter, error)
  }
}
