import { decimalAmount } from '#contract/money.ts'
import { type ProviderJson, parseObjects } from '../parse-values.ts'
import { type CodeMaking, type CodeToMake, PaymentProviderError } from '../provider.ts'
import { createWooCommerceApi, isKind, type WooCommerceApi } from './api.ts'
import { parseId, parseMetadata } from './objects.ts'

/** The free field of a coupon with our id, by which it is found again. */
const OURS = 'tributary_code'
/** A coupon that is off has expired, long ago in every time zone. */
const EXPIRED = '2000-01-01T00:00:00'

export const codes: CodeMaking = {
  kind: 'discount',

  /** Asks for a coupon without a code, which is refused in any case. */
  async tryRight(credentials, reach) {
    try {
      await createWooCommerceApi(credentials, reach).post('coupons', { code: '' })
    } catch (error) {
      if (isKind(error, 'invalid')) return
      if (!isKind(error, 'forbidden')) throw error
      const hint = 'Give the key the permissions Read/Write, of a user who may manage coupons.'
      throw new PaymentProviderError('forbidden', `${error.message} ${hint}`)
    }
  },

  async find(credentials, reach, code) {
    return ownAmong(await couponsOf(createWooCommerceApi(credentials, reach), code), code)
  },

  async make(credentials, reach, code) {
    const api = createWooCommerceApi(credentials, reach)
    try {
      const id = parseId((await api.post('coupons', couponOf(code))).id)
      if (id) return id
    } catch (error) {
      if (!isKind(error, 'invalid')) throw error
      const taken = await couponsOf(api, code)
      // an earlier try may have made it
      if (taken.length > 0) return ownAmong(taken, code)
      throw error
    }
    throw new PaymentProviderError('unavailable', 'The store made the coupon without returning its ID.')
  },

  async turn(credentials, reach, madeId, on) {
    const api = createWooCommerceApi(credentials, reach)
    // an empty text removes the date, null would keep it
    await api.put(`coupons/${encodeURIComponent(madeId)}`, { date_expires: on ? '' : EXPIRED })
  },
}

const couponOf = ({ id, code, rule, currency }: CodeToMake): ProviderJson => ({
  code,
  ...(rule.percentOff === null
    ? { discount_type: 'fixed_cart', amount: decimalAmount(rule.amountOff ?? 0, currency) }
    : { discount_type: 'percent', amount: String(rule.percentOff) }),
  usage_limit_per_user: 1,
  description: `${code} (Tributary)`,
  meta_data: [{ key: OURS, value: id }],
})

/** Returns the coupons with a code: one at most. */
const couponsOf = async (api: WooCommerceApi, { code }: CodeToMake): Promise<ProviderJson[]> =>
  parseObjects(await api.get('coupons', { code, _fields: 'id,code,meta_data' }))

const ownAmong = (coupons: ProviderJson[], { id }: CodeToMake): string | null =>
  parseId(coupons.find((coupon) => parseMetadata(coupon)[OURS] === id)?.id)
