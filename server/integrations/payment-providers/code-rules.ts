import type { z } from 'zod'
import type { CodeRules, NewCodeRule, PromotionCodeRule, ProviderConnection } from '#contract/payment-providers.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import { asUuid } from '../../platform/database/ids.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import { transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { getLiveConnection, providerFailed } from './connections.ts'
import { presentConnection } from './present-connections.ts'
import {
  type CodeMaking,
  type Credentials,
  type DiscountCoupon,
  PaymentProviderError,
  type ProviderAccess,
} from './provider.ts'
import { type ConnectionRow, countGroups, setCodeRules } from './queries.ts'
import { findAdapter } from './registry.ts'
import { getProviderAccess, openCredentials } from './secrets.ts'

/** Lists the coupons from which codes can be made. Refuses: `codes_not_made`, `code_right_missing`. */
export async function listCoupons(services: Services, accountId: string, connectionId: string) {
  const connection = await getLiveConnection(services.db, accountId, connectionId)
  const coupons = await withCodeMaking(services, connection, couponsOf)
  return { items: coupons.map(({ id, name }) => ({ id, name })) }
}

const couponsOf = async (
  codes: CodeMaking,
  credentials: Credentials,
  reach: ProviderAccess,
): Promise<DiscountCoupon[]> => (await codes.coupons?.(credentials, reach)) ?? []

/**
 * Switches the making of codes on, after checking that the key may make them, or off without a rule. Codes made before
 * stay.
 * Refuses: `code_right_missing`, with what to add; `coupon_not_chosen`, `discount_not_chosen`, `unknown_group`;
 * `provider_away`.
 */
export async function saveCodeRules(
  services: Services,
  by: Author,
  accountId: string,
  connectionId: string,
  { rule, rules: given = rule ? [rule] : [] }: z.output<typeof CodeRules>,
): Promise<ProviderConnection> {
  const { db } = services
  const connection = await getLiveConnection(db, accountId, connectionId)
  const currency = connection.defaultCurrency ?? 'usd'
  const coupons = given.length > 0 ? await withCodeMaking(services, connection, tryCodes) : null
  const fieldOf = (at: number) => (rule ? 'rule' : `rules.${at}`)
  const rules = given.map((one, at) => checked(one, { coupons, currency, field: fieldOf(at) }))
  await transaction(db, async (tx) => {
    for (const [at, { groupIds }] of rules.entries())
      if (groupIds && (await countGroups(tx, accountId, groupIds)) < groupIds.length)
        throw wrongField(`${fieldOf(at)}.groupIds`, 'unknown_group')
    const before = await presentConnection(tx, accountId, connectionId)
    await setCodeRules(tx, connection.shopId, rules)
    await linksChanged(tx, accountId)
    const changes = diffFields({ codeRules: before.codeRules }, { codeRules: rules })
    if (Object.keys(changes).length > 0)
      await recordActivity(tx, by, accountId, 'payment-provider.code-rule-saved', { id: connectionId, changes })
  })
  return presentConnection(db, accountId, connectionId)
}

type Checking = { coupons: DiscountCoupon[] | null; currency: string; field: string }

/** Returns the rule to store; `coupons` is null if the provider makes the discount itself. */
function checked(
  { when, pattern, couponId = null, percentOff = null, amountOff = null, groupIds = null }: NewCodeRule,
  { coupons, currency, field }: Checking,
): PromotionCodeRule {
  const ids = groupIds && [...new Set(groupIds.map((id) => asUuid(id)))]
  if (coupons) {
    const coupon = coupons.find(({ id }) => id === couponId)
    if (!coupon) throw wrongField(`${field}.couponId`, 'coupon_not_chosen')
    const { name: _, id, ...discount } = coupon
    return { when, pattern, couponId: id, ...discount, groupIds: ids }
  }
  if ((percentOff === null) === (amountOff === null)) throw wrongField(`${field}.percentOff`, 'discount_not_chosen')
  const ofAmount = amountOff === null ? null : currency
  return { when, pattern, couponId: null, percentOff, amountOff, currency: ofAmount, groupIds: ids }
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
