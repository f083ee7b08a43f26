import type { Invoice, MissingForElectronic } from '#contract/invoices.ts'
import { minorDigits } from '#contract/money.ts'
import type { Snapshot } from './snapshot.ts'

type Facts = Pick<Invoice, 'number' | 'currency' | 'treatment'> & Pick<Snapshot, 'form' | 'account' | 'partner'>

/**
 * Returns which electronic forms a document has, and what is missing for the others. A PDF holds one as soon as the
 * seller is known by a number; the XML needs the Peppol IDs of both parties as well.
 */
export function electronicForms({ form, number, currency, treatment, account, partner }: Facts): Invoice['electronic'] {
  // details that lost their person have no address
  const isErased = !partner?.address.city
  const hasNoNumber = treatment !== 'outside-scope' && !partner?.vatId && !partner?.taxNumber
  const missing: MissingForElectronic[] = []
  if (form === undefined) missing.push('form')
  if (number === null) missing.push('number')
  if (minorDigits(currency) > 2) missing.push('currency')
  if (isErased) missing.push('partner')
  if (!isErased && hasNoNumber) missing.push('taxNumber')
  const pdf = missing.length === 0
  if (!isErased && !partner?.peppolId) missing.push('peppolId')
  if (!account.peppolId) missing.push('accountPeppolId')
  return { xml: missing.length === 0, pdf, missing: form === undefined ? ['form'] : missing }
}
