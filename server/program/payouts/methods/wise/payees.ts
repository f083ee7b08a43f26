import type { Queryable, Transaction } from '../../../../platform/database/pool.ts'
import type { OfPayee } from '../method.ts'

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
