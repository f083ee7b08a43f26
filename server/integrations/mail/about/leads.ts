import type { Queryable } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import { dayIn } from '../../../platform/time/days.ts'
import { leadNames } from '../../../program/leads/lead-facts.ts'
import { partnerNames } from '../../../program/partner-directory/partner-names.ts'
import { type Gathered, getReader } from '../mail.ts'
import { MOST_LINES } from '../message.ts'

/** The fields of a lead that mails need. */
export type LeadFields = { id: string; partnerId: string | null; protectedUntil: string | null }

export const A_LEAD = 'A lead'

const leadFields = sql`l.id, l.partner_id, l.protected_until`

/** Returns those of these leads that are still new. */
export const newLeads = (db: Queryable, accountId: string, ids: string[]) => db.many<LeadFields>`
  select ${leadFields} from leads l
  where l.account_id = ${accountId} and l.id = any(${ids}::uuid[]) and l.status = 'new'
  order by l.created_at, l.id`

/** Returns those of these leads whose protection still ends soon; for a partner their own. */
export const leadsEnding = (
  db: Queryable,
  accountId: string,
  partnerId: string | null,
  ids: string[],
) => db.many<LeadFields>`
  select ${leadFields} from leads l
  where l.account_id = ${accountId} and l.id = any(${ids}::uuid[]) and l.status in ('new', 'qualified')
    and (${partnerId}::uuid is null or l.partner_id = ${partnerId})
    and l.protected_until between ${db.now} and ${db.now}::timestamptz + interval '16 days'
  order by l.protected_until, l.id`

/** Returns the letter's facts of leads; `list` is the page of more than one. */
export async function aboutLeads(gathered: Gathered, leads: LeadFields[], list: string) {
  const { db, account, origin } = gathered
  const shown = leads.slice(0, MOST_LINES)
  const ids = shown.map(({ id }) => id)
  const names = await leadNames(db, getReader(gathered), ids)
  const referrers = shown.map(({ partnerId }) => partnerId)
  const partners = await partnerNames(db, [account.id], referrers)
  return {
    accountName: account.name,
    count: leads.length,
    leads: shown.map(({ id, partnerId, protectedUntil }) => ({
      name: names.get(id) ?? '',
      partner: (partnerId && partners.get(partnerId)) || null,
      on: protectedUntil ? dayIn(account.timeZone, new Date(protectedUntil)) : '',
    })),
    url: leads.length === 1 ? `${origin}/leads/${leads[0]!.id}` : `${origin}${list}`,
  }
}
