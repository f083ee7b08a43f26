import type { LocalBanks, LocalDraft } from '../method.ts'
import { createWise, isRefused, type WiseError, whole } from './client.ts'
import { fieldSetsOf, NoForm, recipientFields, wrongValues } from './requirements.ts'

/** Amount of the quote that requirements are requested for; any amount works. */
const SAMPLE = 100_00

/** Bank accounts in every currency that Wise pays in, by the fields that it asks for there. */
export const localBanks: LocalBanks = {
  async form(api, profileId, { from, currency, draft }) {
    const wise = createWise(api)
    let quote: string
    try {
      quote = await wise.sampleQuote(profileId, { from, to: currency, amount: SAMPLE })
    } catch (error) {
      if (!isRefused(error)) throw error
      const values = { currency: currency.toUpperCase() }
      return { wrong: { wrong: 'currency_not_paid_there', field: 'currency', values } }
    }
    try {
      const told = await wise.requirements(quote, draft && localRecipient(profileId, { ...draft, currency }))
      return { sets: fieldSetsOf(told) }
    } catch (error) {
      if (error instanceof NoForm) return { wrong: { wrong: 'payout_form_unclear' } }
      if (!isRefused(error)) throw error
      return { refused: byField(error) }
    }
  },
  wrong: ({ fields: asked }, fields) => wrongValues(asked, (key) => (Object.hasOwn(fields, key) ? fields[key] : '')),
}

/** Returns a recipient at a bank elsewhere in Wise's form. */
export const localRecipient = (profileId: string, { currency, type, fields }: LocalDraft & { currency: string }) => ({
  profile: whole(profileId),
  currency: currency.toUpperCase(),
  type,
  ownedByCustomer: false,
  ...recipientFields(fields),
})

/** Returns Wise's complaints by its own names of the fields; one about no field is about the type of account. */
const byField = ({ complaints, message }: WiseError) =>
  Object.fromEntries(
    complaints.length > 0
      ? complaints.map(({ path, message: words }) => [path?.replace(/^details\./, '') || 'type', words])
      : [['type', message]],
  )
