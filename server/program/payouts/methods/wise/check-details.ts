import { runInNewContext } from 'node:vm'
import type { PayoutDetails } from '#contract/payout-settings.ts'
import type { Method, Wrong } from '../method.ts'
import { createWise, type Requirement, recipientOf, WiseError } from './client.ts'
import { fieldAt } from './fields.ts'

/** Amount of the quote that requirements are requested for; any amount works. */
const SAMPLE = 100_00

/**
 * Returns Wise's complaints about these details, by our fields: none if it does not respond, or requires something we
 * have no field for. Creates only a quote at Wise; the recipient is created when money is to be sent.
 */
export const checkDetails: Method['checkDetails'] = async (api, profileId, { details, currency, payee }) => {
  const wise = createWise(api)
  try {
    const quote = await wise.createQuote(profileId, { amount: SAMPLE, currency, payee })
    const asked = await wise.accountRequirements(profileId, quote.id, details)
    return Object.fromEntries(asked.flatMap((requirement) => wrongWith(requirement, details)))
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    return Object.fromEntries(
      error.complaints.flatMap(({ path, message }) => {
        const field = fieldAt(path)
        return error.kind === 'refused' && field ? [[field.field, message]] : []
      }),
    )
  }
}

function wrongWith(requirement: Requirement, details: PayoutDetails): [field: string, words: Wrong][] {
  const { key, name, required, minLength, maxLength, pattern, allowed } = requirement
  const field = fieldAt(key)
  // the country cannot be chosen here: a list without ours does not concern these details
  if (!field || key === 'address.country') return []
  const value = valueAt(details, key)
  if (value === '') return required ? [[field.field, { wrong: 'wise_field_missing', values: { name } }]] : []
  const fits =
    value.length >= (minLength ?? 0) &&
    value.length <= (maxLength ?? value.length) &&
    (!allowed || allowed.includes(value)) &&
    (!pattern || matches(pattern, value))
  return fits ? [] : [[field.field, { wrong: 'wise_field_refused', values: { name } }]]
}

/** Returns the value as Wise would get it. */
function valueAt(details: PayoutDetails, key: string): string {
  const { accountHolderName, details: own } = recipientOf('0', details)
  const found = key
    .split('.')
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], { ...own, accountHolderName })
  return typeof found === 'string' ? found : ''
}

/** Whether the value matches; an external pattern may take for ever, so it is aborted and counts as met. */
function matches(pattern: string, value: string): boolean {
  try {
    return Boolean(runInNewContext('new RegExp(pattern).test(value)', { pattern, value }, { timeout: 50 }))
  } catch {
    return true
  }
}
