import type { Reminder } from '#contract/payout-settings.ts'
import type { Author } from '../../platform/author.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { recordActivity, sendSignal } from '../../platform/events/emit-event.ts'
import { dayInWords } from '../../platform/format-values.ts'
import { refusal } from '../../platform/refusal.ts'
import type { Install } from '../../platform/services.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { invitationOfPartner, retryInvitation } from '../auth/invitations.ts'
import { readBalances } from './partner-balances.ts'
import { getPayoutTerms } from './payout-terms.ts'
import { readPayouts } from './payouts.ts'
import { partnerReminded } from './signals.ts'

const APART_MS = 7 * 86_400_000

/** The steps a partner still needs to take to be paid. */
export type Missing = {
  /** No details at all; or existing ones that were rejected. */
  details: 'missing' | 'wrong'
  /** The amount they would be paid now, in minor units; at zero or below nothing waits for it yet. */
  due: number
}

/** Returns the details a partner has to enter or correct to be paid; null if there are none. */
export async function findMissingDetails(
  db: Queryable,
  account: AccountFacts,
  partnerId: string,
): Promise<Missing | null> {
  const terms = await getPayoutTerms(db, account)
  const { hasDetails, isWrong } = await db.one<{ hasDetails: boolean; isWrong: boolean }>`
    select
      exists (select from payout_settings
        where account_id = ${account.id} and partner_id = ${partnerId} and details_sealed is not null) as has_details,
      exists (select from ${readPayouts(terms, db.now, { partnerIds: [partnerId], needy: true })} t where t.need = 'fix-details') as is_wrong`
  if (hasDetails && !isWrong) return null
  const [balance] = await readBalances(db, terms, [partnerId])
  return { details: hasDetails ? 'wrong' : 'missing', due: balance?.due ?? 0 }
}

/**
 * Mails a partner about their payout details, or invites them once more. Refuses: `invalid_state` if there is nothing
 * to remind of, or no one to remind; `rate_limited` within a week of the last time.
 */
export async function remindPartner(
  tx: Transaction,
  install: Install,
  by: Author,
  { account, partnerId }: { account: AccountFacts; partnerId: string },
  kind: Reminder['kind'],
): Promise<Reminder> {
  // serialized: a second call sees the first one's reminder, and the partner is not archived in between
  const partner = await tx.one<{ state: string; hasJoined: boolean }>`
    select state, user_id is not null as has_joined from partners
    where account_id = ${account.id} and id = ${partnerId} for no key update`
  if (partner.state === 'archived') throw refusal('partner_is_archived')
  if (partner.state === 'suspended') throw refusal('partner_is_suspended')
  if (kind === 'invitation') {
    await refuseInvitation(tx, install, partnerId)
    await claim(tx, account, partnerId, kind)
    await retryInvitation(tx, install, by, partnerId, { accountId: account.id, invitedByPartner: null })
  } else {
    if (!partner.hasJoined) throw refusal('partner_not_joined')
    if (!(await findMissingDetails(tx, account, partnerId))) throw refusal('payout_details_given')
    await claim(tx, account, partnerId, kind)
    await sendSignal(tx, account.id, partnerReminded, { partnerId })
  }
  await recordActivity(tx, by, account.id, 'partner.reminded', {
    id: partnerId,
    changes: { kind: { old: null, new: kind } },
  })
  return { kind, nextAt: new Date(tx.now.getTime() + APART_MS).toISOString(), mailed: Boolean(install.config.smtpUrl) }
}

async function refuseInvitation(tx: Transaction, install: Install, partnerId: string) {
  const invitation = await invitationOfPartner(tx, install, partnerId, { showUrl: false })
  if (!invitation) throw refusal('partner_not_invited')
  if (invitation.status === 'revoked') throw refusal('invitation_is_revoked')
  if (invitation.status === 'accepted') throw refusal('invitation_accepted')
}

async function claim(tx: Transaction, account: AccountFacts, partnerId: string, kind: Reminder['kind']) {
  const before = await tx.maybe<{ remindedAt: string }>`
    select reminded_at from partner_reminders where account_id = ${account.id} and partner_id = ${partnerId} and kind = ${kind}`
  const next = new Date(before ? Date.parse(before.remindedAt) + APART_MS : 0)
  if (next > tx.now) {
    const retryAfter = Math.ceil((next.getTime() - tx.now.getTime()) / 1000)
    throw refusal('reminded_this_week', { day: () => dayInWords(dayIn(account.timeZone, next)) }, { retryAfter })
  }
  await tx.run`
    insert into partner_reminders (account_id, partner_id, kind, reminded_at)
    values (${account.id}, ${partnerId}, ${kind}, ${tx.now})
    on conflict (partner_id, kind, account_id) do update set reminded_at = excluded.reminded_at`
}
