import { parseText } from '../parse-values.ts'
import { type CodeMaking, type CodeToMake, PaymentProviderError } from '../provider.ts'
import { fromStripe } from '../stripe-amounts.ts'
import { API_VERSION, createStripeApi, type StripeApi } from './api.ts'

const RIGHTS =
  'Give the restricted key write access to Coupons and Promotion Codes in Stripe, then try again. Stripe answered: '

/** The id of a coupon that no account has: to a key that may write, Stripe answers that it is missing. */
const NO_COUPON = 'tributary_checks_its_rights'

/** The version from which a promotion code names what it promotes. */
const NAMES_KIND = '2025-09-30'

/** Returns the fields with the coupon of a promotion code, as this version of the API has them. */
export const couponFields = (coupon: string, version = API_VERSION): Record<string, string> =>
  version >= NAMES_KIND ? { 'promotion[type]': 'coupon', 'promotion[coupon]': coupon } : { coupon }

export const codes: CodeMaking = {
  kind: 'coupon',

  async tryRight(credentials, reach) {
    const api = createStripeApi(credentials, reach)
    try {
      await api.list('coupons', { limit: '1' })
      await api.list('promotion_codes', { limit: '1' })
      await api.post('promotion_codes', couponFields(NO_COUPON))
    } catch (error) {
      if (!(error instanceof PaymentProviderError)) throw error
      if (error.kind === 'missing' || error.kind === 'invalid') return
      throw error.kind === 'forbidden' ? new PaymentProviderError('forbidden', `${RIGHTS}${error.message}`) : error
    }
  },

  async coupons(credentials, reach) {
    const rows = await createStripeApi(credentials, reach).all('coupons')
    return rows.flatMap(({ id, name, valid, percent_off, amount_off, currency }) =>
      typeof id === 'string' && valid !== false
        ? [
            {
              id,
              name: parseText(name, 200) ?? id,
              percentOff: typeof percent_off === 'number' ? percent_off : null,
              amountOff: typeof amount_off === 'number' ? fromStripe(amount_off, String(currency)) : null,
              currency: typeof amount_off === 'number' ? String(currency) : null,
            },
          ]
        : [],
    )
  },

  find: (credentials, reach, code) => find(createStripeApi(credentials, reach), code),

  async make(credentials, reach, code) {
    const { id, turn, partnerId, rule, firstPurchaseOnly } = code
    const api = createStripeApi(credentials, reach)
    const form = {
      ...couponFields(rule.couponId ?? ''),
      code: code.code,
      ...(firstPurchaseOnly && { 'restrictions[first_time_transaction]': 'true' }),
      'metadata[tributary_code]': id,
      'metadata[tributary_partner]': partnerId,
    }
    try {
      const made = await api.post('promotion_codes', form, `tributary-code-${id}-${turn}`)
      if (typeof made.id === 'string') return made.id
      throw new PaymentProviderError('unavailable', 'Stripe made the promotion code without returning its ID.')
    } catch (error) {
      if (!(error instanceof PaymentProviderError) || error.kind !== 'invalid') throw error
      if (!/already exists/i.test(error.message)) throw error
      // a repeat after Stripe has dropped the key finds its own code
      return find(api, code)
    }
  },

  async turn(credentials, reach, madeId, on) {
    await createStripeApi(credentials, reach).post(`promotion_codes/${encodeURIComponent(madeId)}`, {
      active: String(on),
    })
  },
}

async function find(api: StripeApi, { id, code }: Pick<CodeToMake, 'id' | 'code'>) {
  const rows = await api.list('promotion_codes', { code })
  const own = rows.find(({ metadata }) => (metadata as Record<string, unknown> | undefined)?.tributary_code === id)
  return typeof own?.id === 'string' ? own.id : null
}
