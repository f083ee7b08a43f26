import type { LocalBanks } from '../method.ts'
import { SAMPLE } from './check-details.ts'
import { createWise, isRefused, toRecipient, type WiseError } from './client.ts'
import { NoForm, toFieldSets, wrongValues } from './requirements.ts'

/** Bank accounts in every currency that Wise pays in, by the fields that it requires there. */
export const localBanks: LocalBanks = {
  async form(api, profileId, { from, payee, draft }) {
    const wise = createWise(api)
    let quote: { id: string }
    try {
      quote = await wise.createQuote(profileId, { amount: SAMPLE, currency: from, payee })
    } catch (error) {
      if (!isRefused(error)) throw error
      const values = { currency: payee.currency.toUpperCase() }
      return { wrong: { wrong: 'currency_not_paid_there', field: 'currency', values } }
    }
    try {
      const requirements = await wise.requirements(quote.id, draft && toRecipient(profileId, draft))
      return { sets: toFieldSets(requirements) }
    } catch (error) {
      if (error instanceof NoForm) return { wrong: { wrong: 'payout_form_unclear' } }
      if (!isRefused(error)) throw error
      return { refused: byField(error) }
    }
  },
  wrong: ({ fields: required }, fields) =>
    wrongValues(required, (key) => (Object.hasOwn(fields, key) ? fields[key] : '')),
}

/** Returns Wise's complaints by its own names of the fields; one about no field is about the type of account. */
const byField = ({ complaints, message }: WiseError) =>
  Object.fromEntries(
    complaints.length > 0
      ? complaints.map(({ path, message: words }) => [path?.replace(/^details\./, '') || 'type', words])
      : [['type', message]],
  )
