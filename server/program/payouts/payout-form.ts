import type { DetailKind } from '#contract/detail-kinds.ts'
import { type LocalBankDetails, sepaCountries } from '#contract/payout-details.ts'
import type { PayoutFieldSet, PayoutForm } from '#contract/payout-form.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { offeredKinds } from './chosen-method.ts'
import { type Asking, type Open, openConnection } from './connections.ts'
import { countries, findCountryCurrency } from './countries.ts'
import { createFormMemory } from './form-cache.ts'
import { type AskedSet, type MethodRefusal, type PayeeKind, ProviderError } from './methods/method.ts'
import { localBanking, refusalOfWrong } from './methods/registry.ts'
import { getPayoutTerms } from './payout-terms.ts'

// The form of payout details. The fields of bank accounts elsewhere come from the provider that pays there; only the
// choices of a draft's selects are stored.

const memory = createFormMemory()

type Wanted = { kind?: DetailKind | undefined; country?: string | undefined; currency?: string | undefined }

/** Returns the choices, and the fields of a bank account elsewhere on request. */
export async function payoutForm(services: Asking, account: AccountFacts, wanted: Wanted): Promise<PayoutForm> {
  const kinds = await kindsOf(services.db, account)
  const { kind, country } = wanted
  if (kind !== undefined) refuseKind(kinds, kind)
  if (kind === 'iban' && country !== undefined && !sepaCountries.includes(country))
    throw wrongField('country', 'not_a_sepa_country')
  if (kind !== 'local-bank' || country === undefined) return formOf(kinds, [])
  const currency = wanted.currency ?? usualCurrency(country)
  return formOf(kinds, await fieldsFor(services, account, { country, currency }, null))
}

/** Returns the same for what was entered so far, which may bring other fields; nothing is saved. */
export async function draftForm(services: Asking, account: AccountFacts, draft: LocalBankDetails): Promise<PayoutForm> {
  const kinds = await kindsOf(services.db, account)
  refuseKind(kinds, draft.kind)
  usualCurrency(draft.country)
  return formOf(kinds, await fieldsFor(services, account, draft, draft))
}

/**
 * Checks details of a bank account elsewhere against the fields that its provider requires now for these details.
 * Refuses each field that is missing, wrong or not required; `unavailable` without an answer.
 */
export async function checkLocalBank(services: Asking, account: AccountFacts, details: LocalBankDetails) {
  const { country, currency, type, fields } = details
  usualCurrency(country)
  const sets = await requestFieldSets(services, account, details, details)
  // the required fields may have changed
  memory.keep({ accountId: account.id, country, currency }, details, services.db.now, sets)
  const set = sets.find((one) => one.type === type)
  if (!set) throw wrongField('type', 'payout_type_unknown')
  const keys = new Set(set.fields.map(({ key }) => key))
  const unknown = Object.keys(fields).filter((name) => !keys.has(name))
  const wrong: Record<string, MethodRefusal> = {
    ...localBanking.localBanks.wrong(set, fields),
    ...Object.fromEntries(unknown.map((name) => [name, { wrong: 'payout_field_unknown' }])),
  }
  refuseDetails(wrong, placeOf)
}

function refuseKind(kinds: readonly DetailKind[], kind: DetailKind) {
  if (!kinds.includes(kind)) throw wrongField('kind', 'kind_not_offered')
}

/** The kinds of details that the account's partners may enter. */
const kindsOf = async (db: Queryable, account: AccountFacts) => offeredKinds(await getPayoutTerms(db, account))

function usualCurrency(country: string): string {
  const currency = findCountryCurrency(country)
  if (currency === undefined) throw wrongField('country', 'payout_country_unknown')
  return currency
}

const formOf = (kinds: DetailKind[], sets: AskedSet[]): PayoutForm => ({
  kinds,
  countries: reachedBy(kinds),
  types: sets.map(shown),
})

/** No browser runs an external pattern. */
const shown = ({ type, title, fields }: AskedSet): PayoutFieldSet => ({
  type,
  title,
  fields: fields.map(({ pattern: _, ...field }) => field),
})

/** The countries that bank details of these kinds can be in, with the currency that is paid there. */
function reachedBy(kinds: readonly DetailKind[]): PayoutForm['countries'] {
  if (kinds.includes('local-bank')) return countries()
  return countries().flatMap((country) => {
    if (kinds.includes('us-bank') && country.code === 'US') return [country]
    return kinds.includes('iban') && sepaCountries.includes(country.code) ? [{ ...country, currency: 'eur' }] : []
  })
}

async function fieldsFor(
  services: Asking,
  account: AccountFacts,
  { country, currency }: Pick<LocalBankDetails, 'country' | 'currency'>,
  draft: LocalBankDetails | null,
): Promise<AskedSet[]> {
  const place = { accountId: account.id, country, currency }
  const { now } = services.db
  const kept = memory.find(place, draft, now)
  if (kept) return kept
  const sets = await requestFieldSets(services, account, { country, currency }, draft)
  memory.keep(place, draft, now, sets)
  return sets
}

/** Longest wait of a partner for all of a provider's answers, in milliseconds. */
const PATIENCE_MS = 5000

/** Opens the account's connection of a method for a partner who waits; null without one. */
export function openPatiently(services: Asking, accountId: string, method: string): Promise<Open | null> {
  const until = Date.now() + PATIENCE_MS
  return openConnection(services, accountId, method, () => Math.max(1, until - Date.now()))
}

async function requestFieldSets(
  services: Asking,
  account: AccountFacts,
  { country, currency }: Omit<PayeeKind, 'kind'>,
  draft: LocalBankDetails | null,
): Promise<AskedSet[]> {
  const connection = await openPatiently(services, account.id, localBanking.name)
  if (!connection?.profileId) throw wrongField('kind', 'kind_not_offered')
  const payee: PayeeKind = { kind: 'local-bank', country, currency }
  const reply = await localBanking.localBanks
    .form(connection.api, connection.profileId, { from: account.defaultCurrency, payee, draft })
    .catch((error: unknown) => {
      throw error instanceof ProviderError ? refusal('payout_details_unchecked') : error
    })
  if ('sets' in reply) return reply.sets
  if ('wrong' in reply) throw refusalOfWrong(reply.wrong)
  refuseDetails(reply.refused, placeOf)
  throw refusal('payout_details_unchecked')
}

/** The field of the body for a provider's name of one. */
const placeOf = (name: string) => (name === 'type' ? name : `fields.${name}`)

/** Refuses details with what is wrong about their fields, by name; does nothing without. */
export function refuseDetails(wrong: Record<string, string | MethodRefusal>, fieldOf = (name: string) => name) {
  const fields = Object.entries(wrong).map(([name, why]) => [
    fieldOf(name),
    typeof why === 'string' ? why : refusalOfWrong(why).message,
  ])
  const message = fields[0]?.[1]
  if (message !== undefined)
    throw refusal('payout_details_refused', { said: message }, { fields: Object.fromEntries(fields) })
}
