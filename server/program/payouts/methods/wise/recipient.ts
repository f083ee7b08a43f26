import type { Queryable, Transaction } from '../../../../platform/database/pool.ts'
import { type At, type Attempt, saveAttempt } from './attempts.ts'
import { WiseError } from './client.ts'
import { fieldAt } from './fields.ts'
import { confirmed } from './intent.ts'
import { reject } from './reject.ts'
import type { Work } from './work.ts'

/** Ensures a recipient at Wise for the approved details; an earlier one for the same details is used again. */
export async function ensureRecipient(work: Work): Promise<boolean> {
  const at = await work.hold((tx) => confirmed(tx, work))
  if (!at) return false
  const { payout, attempt } = at
  if (attempt.recipientId) return true
  const { detailsVersion, profileId } = attempt
  const payee = { partnerId: payout.partnerId, detailsVersion: detailsVersion!, profileId }
  const [known] = await knownRecipients(work.services.db, profileId, [payee])
  const recipientId = known?.recipientId ?? (await makeRecipient(work, at))
  if (!recipientId) return false
  await work.onStep('recipient-made')
  await work.hold(async (tx) => {
    await saveAttempt(tx, attempt.id, { recipientId, state: 'recipient-known', error: null })
    await keepRecipient(tx, payee, recipientId)
  })
  await work.onStep('recipient-saved')
  return true
}

async function makeRecipient(work: Work, { payout, attempt }: At): Promise<string | undefined> {
  const details = await work.details()
  if (!details) {
    await work.hold((tx) => reject(tx, work, payout, { attempt, words: UNREADABLE, ofRecipient: false }))
    return undefined
  }
  try {
    return await work.wise.createRecipient(attempt.profileId, details)
  } catch (error) {
    if (!(error instanceof WiseError) || error.kind !== 'refused') throw error
    await work.hold((tx) => reject(tx, work, payout, { attempt, words: describe(error), ofRecipient: true }))
    return undefined
  }
}

const UNREADABLE = 'The payout details can’t be read. Ask the partner to enter them again.'

type OfPayee = { partnerId: string; detailsVersion: string }

/** Known recipients by version of the details, since Wise's recipients never change. */
export const knownRecipients = (db: Queryable, profileId: string, payees: OfPayee[]) => db.many<{
  partnerId: string
  recipientId: string
}>`
  select r.partner_id, r.recipient_id
  from wise_recipients r
    join unnest(${payees.map((one) => one.partnerId)}::uuid[], ${payees.map((one) => one.detailsVersion)}::uuid[])
      as p (partner_id, details_version) using (partner_id, details_version)
  where r.profile_id = ${profileId}`

/** Stores the recipient unless the details have changed. */
export const keepRecipient = (
  db: Queryable,
  { partnerId, detailsVersion, profileId }: OfPayee & { profileId: string },
  recipientId: string,
) => db.run`
  insert into wise_recipients (account_id, partner_id, details_version, profile_id, recipient_id)
  select account_id, partner_id, version, ${profileId}, ${recipientId} from payout_settings
  where partner_id = ${partnerId} and version = ${detailsVersion}
  on conflict (partner_id, account_id) do update set details_version = excluded.details_version, profile_id = excluded.profile_id,
    recipient_id = excluded.recipient_id`

export const forgetRecipient = (tx: Transaction, partnerId: string, recipientId: string) => tx.run`
  delete from wise_recipients where partner_id = ${partnerId} and recipient_id = ${recipientId}`

/** Whether another attempt used the recipient before. */
export async function wasReused(db: Queryable, { id, recipientId }: Attempt): Promise<boolean> {
  const { reused } = await db.one<{ reused: boolean }>`
    select exists (select from payout_attempts where recipient_id = ${recipientId} and id <> ${id}) as reused`
  return reused
}

/** Words Wise's complaints with the names of our fields. */
export const describe = ({ complaints, message }: WiseError) =>
  complaints
    .map(({ path, message: words }) => {
      const field = fieldAt(path)
      return field ? `${field.label}: ${words}` : words
    })
    .join(' ') || message
