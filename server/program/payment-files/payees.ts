import type { PayoutDetails } from '#contract/payout-settings.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Services } from '../../platform/services.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { openConnection } from '../payouts/connections.ts'
import { openDetails, settingsPlace } from '../payouts/deposit-details.ts'
import { type FileFormat, ProviderError } from '../payouts/methods/method.ts'
import { connecting, kindsPaid, type PaymentFileMethod, refusalOfWrong } from '../payouts/methods/registry.ts'
import { knownRecipients, saveRecipient } from '../payouts/payees.ts'

/** A partner with the details of where their money goes. */
export type Payee = { partnerId: string; detailsVersion: string; details: PayoutDetails }
/** A payee that a file may name, with its recipient of the profile `by` if the provider needs one. */
export type Ready = Omit<Payee, 'details'> & { by: string | null; recipient: string | null }

/** Returns those of these partners whose details a file of this method reaches. */
export async function listPayees(
  { db, secrets }: Services,
  account: AccountFacts,
  method: PaymentFileMethod,
  partnerIds: string[],
): Promise<Payee[]> {
  const rows = await db.many<{ partnerId: string; detailsVersion: string; sealed: Buffer }>`
    select partner_id, version as details_version, details_sealed as sealed from payout_settings
    where partner_id = any(${partnerIds}::uuid[]) and account_id = ${account.id} and details_sealed is not null
      and kind = any(${kindsPaid(method)}::text[])`
  return rows.flatMap(({ partnerId, detailsVersion, sealed }) => {
    const details = openDetails(secrets, sealed, settingsPlace(partnerId, account.id))
    return details ? [{ partnerId, detailsVersion, details }] : []
  })
}

const AT_ONCE = 8
const CALL_MS = 5000
/** Milliseconds for creating recipients; the rest is for the next file. */
const PATIENCE_MS = 20_000

/**
 * Prepares a recipient for each payee, created at the provider if there is none; a payee without an answer is in neither
 * list. Refuses: `invalid_state` without a token and a profile; `provider_failed` if the token is rejected.
 */
export async function preparePayees(
  services: Services,
  account: AccountFacts,
  payeesAt: NonNullable<FileFormat['payees']>,
  payees: Payee[],
) {
  const { db } = services
  const connection = await openConnection(services, account.id, connecting.name, () => CALL_MS)
  if (!connection?.profileId) throw refusalOfWrong(payeesAt.notConnected)
  const { api, profileId } = connection
  const known = new Map(
    (await knownRecipients(db, account.id, profileId, payees)).map((one) => [one.partnerId, one.recipient]),
  )
  const ready: Ready[] = []
  const rejected: { payee: Payee; words: string }[] = []
  const until = Date.now() + PATIENCE_MS
  const make = async ({ details }: Payee) => {
    if (Date.now() >= until) return null
    try {
      return await payeesAt.make(api, profileId, details)
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      if (error.kind === 'unknown') return null
      throw refusalOfWrong(payeesAt.denied(error))
    }
  }
  const next = payees.values()
  const makeOn = async () => {
    for (const payee of next) {
      const { partnerId, detailsVersion } = payee
      const found = known.get(partnerId)
      const made = found === undefined ? await make(payee) : { recipient: found }
      if (made === null) continue
      if ('refused' in made) {
        rejected.push({ payee, words: made.refused })
        continue
      }
      if (found === undefined) await saveRecipient(db, account.id, profileId, payee, made.recipient)
      ready.push({ partnerId, detailsVersion, by: profileId, ...made })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, makeOn))
  return { ready, rejected }
}

/**
 * Stores why a provider or bank rejected a partner's details, unless they have changed since. A payout that was due
 * again before its file paid it has no version of them: those of the file are meant.
 */
export const markRejected = (
  db: Queryable,
  accountId: string,
  {
    partnerId,
    detailsVersion,
    fileId = null,
  }: { partnerId: string; detailsVersion: string | null; fileId?: string | null },
  words: string,
) => db.run`
  update payout_settings set rejected_reason = ${words}
  where account_id = ${accountId} and partner_id = ${partnerId} and coalesce(version = ${detailsVersion}, updated_at <= (
    select created_at from payment_files where account_id = ${accountId} and id = ${fileId}))`
