import { parseObject } from '../parse-values.ts'
import { type CreditMaking, PaymentProviderError } from '../provider.ts'
import { fromStripe, toStripe } from '../stripe-amounts.ts'
import { createStripeApi } from './api.ts'

const RIGHTS =
  'Give the restricted key write access to Customers and Customer Balance Transactions in Stripe, then try again. Stripe answered: '

/** The id of a customer that no account has: to a key that may write, Stripe answers that it is missing. */
const NO_CUSTOMER = 'cus_tributary_checks_its_rights'

const pathOf = (customerId: string) => `customers/${encodeURIComponent(customerId)}`

const isFailure = (error: unknown, ...kinds: PaymentProviderError['kind'][]) =>
  error instanceof PaymentProviderError && kinds.includes(error.kind)

export const credits: CreditMaking = {
  async checkRight(credentials, reach) {
    const fields = { amount: '-1', currency: 'usd' }
    await createStripeApi(credentials, reach)
      .post(`${pathOf(NO_CUSTOMER)}/balance_transactions`, fields)
      .catch((error: unknown) => {
        if (isFailure(error, 'missing', 'invalid')) return
        const isForbidden = isFailure(error, 'forbidden')
        throw isForbidden ? new PaymentProviderError('forbidden', `${RIGHTS}${(error as Error).message}`) : error
      })
  },

  async findCustomer(credentials, reach, customerId) {
    const found = await createStripeApi(credentials, reach)
      .get(pathOf(customerId))
      .catch((error: unknown) => {
        if (isFailure(error, 'missing')) return null
        throw error
      })
    if (!found || found.deleted === true) return null
    return { currency: typeof found.currency === 'string' ? found.currency : null }
  },

  async listCredits(credentials, reach, customerId) {
    // whether there is a credit is decided by the whole list
    const rows = await createStripeApi(credentials, reach).all(`${pathOf(customerId)}/balance_transactions`, Infinity)
    return rows.flatMap(({ id, amount, currency, metadata }) => {
      const marks = parseObject(metadata)
      return typeof marks.tributary_payout === 'string'
        ? {
            id: String(id),
            payoutId: marks.tributary_payout,
            accountId: String(marks.tributary_account),
            amount: fromStripe(-Number(amount), String(currency)),
            currency: String(currency),
          }
        : []
    })
  },

  async addCredit(credentials, reach, { customerId, payoutId, accountId, amount, currency, key, description }) {
    const made = await createStripeApi(credentials, reach).post(
      `${pathOf(customerId)}/balance_transactions`,
      {
        amount: String(-toStripe(amount, currency)),
        currency,
        description,
        'metadata[tributary_payout]': payoutId,
        'metadata[tributary_account]': accountId,
      },
      key,
    )
    if (typeof made.id === 'string') return made.id
    throw new PaymentProviderError('unavailable', 'Stripe added the credit without returning its ID.')
  },
}
