import type { Queryable, Transaction } from '../../platform/database/pool.ts'

// The recipients that exist at Wise, and those that payouts in a batch file go to.

type OfPayee = { partnerId: string; detailsVersion: string }

/** Known recipients by version of the details, since a recipient at a provider never changes. */
export const knownRecipients = (db: Queryable, accountId: string, profileId: string, payees: OfPayee[]) => db.many<{
  partnerId: string
  recipient: string
}>`
  select r.partner_id, r.recipient_id as recipient
  from wise_recipients r
    join unnest(${payees.map((one) => one.partnerId)}::uuid[], ${payees.map((one) => one.detailsVersion)}::uuid[])
      as p (partner_id, details_version) using (partner_id, details_version)
  where r.account_id = ${accountId} and r.profile_id = ${profileId}`

/** Stores the recipient unless the details have changed. */
export const keepRecipient = (
  db: Queryable,
  accountId: string,
  profileId: string,
  { partnerId, detailsVersion }: OfPayee,
  recipient: string,
) => db.run`
  insert into wise_recipients (account_id, partner_id, details_version, profile_id, recipient_id)
  select account_id, partner_id, version, ${profileId}, ${recipient} from payout_settings
  where account_id = ${accountId} and partner_id = ${partnerId} and version = ${detailsVersion}
  on conflict (partner_id, account_id) do update set details_version = excluded.details_version, profile_id = excluded.profile_id,
    recipient_id = excluded.recipient_id`

export const forgetRecipient = (tx: Transaction, accountId: string, partnerId: string, recipient: string) => tx.run`
  delete from wise_recipients
  where account_id = ${accountId} and partner_id = ${partnerId} and recipient_id = ${recipient}`

/** Stores the recipient of a payout that is approved into a file now, at the profile `by`. */
export const keepInFile = (
  tx: Transaction,
  accountId: string,
  payoutId: string,
  { by, recipient }: { by: string; recipient: string },
) => tx.run`
  insert into wise_batch_payouts (account_id, payout_id, profile_id, recipient_id, amount, exported_at)
  select account_id, id, ${by}, ${recipient}, amount, ${tx.now} from payouts
  where account_id = ${accountId} and id = ${payoutId}`

/** A payout as it is in a file. `amount` is null in files from releases that did not store it. */
export type Filed = { payoutId: string; by: string; recipient: string; amount: number | null }

/** Returns those of these payouts that are in a file. */
export const filedOf = (db: Queryable, accountId: string, payoutIds: string[]) => db.many<Filed>`
  select payout_id, profile_id as by, recipient_id as recipient, amount from wise_batch_payouts
  where account_id = ${accountId} and payout_id = any(${payoutIds}::uuid[])`

/** Empties the bank details of an erased partner. Those of payouts in the states `kept` are records, and stay. */
export async function emptyPayee(tx: Transaction, accountId: string, partnerId: string, kept: string[]) {
  await tx.run`delete from wise_recipients where account_id = ${accountId} and partner_id = ${partnerId}`
  await tx.run`
    update payout_settings set details_sealed = null, routing_last4 = null, account_last4 = null, rejected_reason = null
    where account_id = ${accountId} and partner_id = ${partnerId}`
  await tx.run`
    update payouts set details_sealed = null
    where account_id = ${accountId} and partner_id = ${partnerId} and not status = any(${kept}::text[])`
}

/** Empties records of payments to erased partners whose time has passed. */
export const emptyOldRecords = (db: Queryable) => db.run`
  update payouts p set details_sealed = null
  from erasures e
  where e.subject_type = 'partner' and e.records_until < ${db.now}::timestamptz::date and p.account_id = e.account_id
    and p.partner_id = e.subject_id and p.details_sealed is not null`
