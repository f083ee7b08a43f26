import { decimalAmount } from '#contract/money.ts'
import type { Cell } from '../../../../platform/csv/csv.ts'
import type { Queryable } from '../../../../platform/database/pool.ts'
import { refusal } from '../../../../platform/refusal.ts'
import type { Services } from '../../../../platform/services.ts'
import type { AccountFacts } from '../../../access/account-facts.ts'
import type { InBatch, Method, Payee, Prepared } from '../method.ts'
import { blockers } from './blockers.ts'
import { type Wise, WiseError } from './client.ts'
import { findConnection, hasty, wiseOf } from './connection.ts'
import { keepRecipient, knownRecipients } from './payees.ts'
import { readResults } from './read-results.ts'
import { referenceOf } from './reference.ts'
import { describe } from './steps.ts'

/** Wise's template 'send to saved recipients', as of September 2026. */
const HEADER = [
  'recipientId',
  'name',
  'recipientEmail',
  'recipientDetail',
  'sourceCurrency',
  'targetCurrency',
  'amountCurrency',
  'amount',
  'paymentReference',
  'referenceNumber',
  'receiverType',
] as const

/** A file for Wise's batch payments, which an owner uploads at Wise: to recipients by id, without account numbers. */
export const wiseBatch: Method = {
  name: 'csv',
  blockers,
  batch: {
    format: 'wise-batch',
    header: HEADER,
    prepare,
    keep: async (tx, payoutId, { by, recipient }) => {
      await tx.run`
        insert into wise_batch_payouts (account_id, payout_id, profile_id, recipient_id, amount, exported_at)
        select account_id, id, ${by}, ${recipient}, amount, ${tx.now} from payouts where id = ${payoutId}`
    },
    rowsOf,
    given: (db, payoutIds) => db.many`
      select payout_id, recipient_id as recipient, amount from wise_batch_payouts where payout_id = any(${payoutIds}::uuid[])`,
    read: readResults,
  },
}

const AT_ONCE = 8
const CALL_MS = 5000
/** Milliseconds for creating recipients; the rest is for the next file. */
const PATIENCE_MS = 20_000

/**
 * Prepares a recipient for each payee, created at Wise if there is none. Refuses: `invalid_state` without a token and a
 * profile.
 */
async function prepare(services: Services, account: AccountFacts, payees: Payee[]): Promise<Prepared> {
  const { db } = services
  const connection = await findConnection(db, account.id)
  const wise = wiseOf(
    hasty(services, () => CALL_MS),
    account.id,
    connection,
  )
  if (!wise || !connection.profile) throw refusal('wise_not_connected')
  const profileId = connection.profile.id
  const known = new Map(
    (await knownRecipients(db, profileId, payees)).map(({ partnerId, recipientId }) => [partnerId, recipientId]),
  )
  const prepared: Prepared = { ready: [], rejected: [] }
  const until = Date.now() + PATIENCE_MS
  const next = payees.values()
  const makeOn = async () => {
    for (const payee of next) {
      const { partnerId, detailsVersion } = payee
      const recipient = known.get(partnerId) ?? (Date.now() < until ? await make(wise, profileId, payee) : null)
      if (recipient === null) continue
      if (recipient instanceof WiseError) {
        prepared.rejected.push({ payee, words: describe(recipient) })
        continue
      }
      if (!known.has(partnerId)) await keepRecipient(db, { partnerId, detailsVersion, profileId }, recipient)
      prepared.ready.push({ partnerId, detailsVersion, by: profileId, recipient })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, makeOn))
  return prepared
}

/** Returns its id, Wise's refusal of the details, or null without an answer. Refuses: if Wise rejects the token. */
async function make(wise: Wise, profileId: string, { details }: Payee): Promise<string | WiseError | null> {
  try {
    return await wise.createRecipient(profileId, details)
  } catch (error) {
    if (!(error instanceof WiseError)) throw error
    if (error.kind === 'unknown') return null
    if (error.kind === 'refused') return error
    throw refusal('wise_refuses', { said: error.message })
  }
}

async function rowsOf(db: Queryable, account: AccountFacts, payouts: InBatch[]): Promise<Cell[][]> {
  const { profile } = await findConnection(db, account.id)
  if (!profile) throw refusal('wise_not_connected')
  const rows = await db.many<{ payoutId: string; recipientId: string }>`
    select payout_id, recipient_id from wise_batch_payouts
    where payout_id = any(${payouts.map(({ id }) => id)}::uuid[]) and profile_id = ${profile.id}`
  const recipients = new Map(rows.map(({ payoutId, recipientId }) => [payoutId, recipientId]))
  const currency = account.defaultCurrency.toUpperCase()
  return payouts.flatMap((payout) => {
    const recipient = recipients.get(payout.id)
    return recipient === undefined ? [] : [Object.values(rowOf(payout, recipient, currency))]
  })
}

/** Dollars fix the target amount, other currencies the amount debited, like our own quotes. */
const rowOf = (payout: InBatch, recipient: string, currency: string): Record<(typeof HEADER)[number], Cell> => ({
  recipientId: { plain: recipient },
  name: { text: payout.details.name },
  recipientEmail: { plain: null },
  recipientDetail: { plain: `USD account ending in ${payout.details.accountNumber.slice(-4)}` },
  sourceCurrency: { plain: currency },
  targetCurrency: { plain: 'USD' },
  amountCurrency: { plain: currency === 'USD' ? 'target' : 'source' },
  amount: { plain: decimalAmount(payout.amount, currency) },
  paymentReference: { plain: referenceOf(payout) },
  referenceNumber: { plain: null },
  receiverType: { plain: payout.details.legalType === 'BUSINESS' ? 'INSTITUTION' : 'PERSON' },
})
