import type { Method } from '../method.ts'
import { createWise, toRecipient, type Wise, WiseError, type WiseRecipient } from './client.ts'
import { fieldAt } from './fields.ts'
import { NoForm, toFieldSets, wrongValues } from './requirements.ts'

/** Amount of the quote that requirements are requested for; any amount works. */
export const SAMPLE = 100_00

/**
 * Returns Wise's complaints about these details, by our fields: none if it does not respond, or requires something we
 * have no field for. Creates only a quote at Wise; the recipient is created when money is to be sent.
 */
export const checkDetails: Method['checkDetails'] = async (api, profileId, { details, currency, payee }) => {
  const wise = createWise(api)
  const recipient = toRecipient(profileId, details)
  try {
    const quote = await wise.createQuote(profileId, { amount: SAMPLE, currency, payee })
    const fields = await requiredFields(wise, quote.id, recipient)
    return byOurs(Object.entries(wrongValues(fields, (key) => valueAt(recipient, key))))
  } catch (error) {
    if (error instanceof NoForm) return {}
    if (!(error instanceof WiseError)) throw error
    return error.kind === 'refused' ? byOurs(error.complaints.map(({ path, message }) => [path, message])) : {}
  }
}

/** Returns the required fields for which there are values, including those that the recipient's values add. */
async function requiredFields(wise: Wise, quote: string, recipient: WiseRecipient) {
  const read = async (draft: WiseRecipient | null) =>
    toFieldSets(await wise.requirements(quote, draft)).find(({ type }) => type === recipient.type)?.fields ?? []
  const first = await read(null)
  const fields = first.some(({ refresh }) => refresh) ? await read(recipient) : first
  // the country cannot be chosen here: a list without ours does not concern these details
  return fields.filter(({ key }) => fieldAt(key) && key !== 'address.country')
}

function byOurs<Words>(wrong: [path: string | null, words: Words][]): Record<string, Words> {
  return Object.fromEntries(
    wrong.flatMap(([path, words]) => {
      const field = fieldAt(path)
      return field ? [[field.field, words]] : []
    }),
  )
}

/** Returns the value as Wise would get it. */
function valueAt({ accountHolderName, details }: WiseRecipient, key: string): string {
  const found = key.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], {
    ...details,
    accountHolderName,
  })
  return typeof found === 'string' ? found : ''
}
