import { runInNewContext } from 'node:vm'
import type { DepositInfo } from '#contract/payouts.ts'
import { refusal } from '../../../../platform/refusal.ts'
import type { Services } from '../../../../platform/services.ts'
import type { AccountFacts } from '../../../access/account-facts.ts'
import { type Requirement, recipientOf, WiseError } from './client.ts'
import { findConnection, hasty, wiseOf } from './connection.ts'
import { fieldAt } from './fields.ts'

/** Longest wait of a partner for all of Wise's answers, in milliseconds. */
const PATIENCE_MS = 5000
/** Amount of the quote that requirements are requested for; any amount works. */
const SAMPLE = 100_00

/**
 * Returns Wise's complaints about these details, by our fields: none if it is not connected, does not respond, or
 * requires something we have no field for. Creates only a quote at Wise; the recipient is created when money is to be
 * sent.
 */
export async function checkDetails(
  services: Services,
  account: AccountFacts,
  details: DepositInfo,
): Promise<Record<string, string>> {
  const connection = await findConnection(services.db, account.id)
  const until = Date.now() + PATIENCE_MS
  const inTime = hasty(services, () => Math.max(1, until - Date.now()))
  const wise = wiseOf(inTime, account.id, connection)
  if (!wise || !connection.profile) return {}
  const { id: profileId } = connection.profile
  try {
    const quote = await wise.createQuote(profileId, { amount: SAMPLE, currency: account.defaultCurrency })
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

function wrongWith(requirement: Requirement, details: DepositInfo): [field: string, words: string][] {
  const { key, name, required, minLength, maxLength, pattern, allowed } = requirement
  const field = fieldAt(key)
  // the country cannot be chosen here: a list without ours does not concern these details
  if (!field || key === 'address.country') return []
  const value = valueAt(details, key)
  if (value === '') return required ? [[field.field, refusal('wise_field_missing', { name }).message]] : []
  const fits =
    value.length >= (minLength ?? 0) &&
    value.length <= (maxLength ?? value.length) &&
    (!allowed || allowed.includes(value)) &&
    (!pattern || matches(pattern, value))
  return fits ? [] : [[field.field, refusal('wise_field_refused', { name }).message]]
}

/** Returns the value as Wise would get it. */
function valueAt(details: DepositInfo, key: string): string {
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
