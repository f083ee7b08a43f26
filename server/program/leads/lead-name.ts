import type { LeadStatus } from '#contract/leads.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { type Access, wordFor } from '../access/access.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { fullName, MASK, maskedEmail } from '../partner-directory/partner-names.ts'
import { leadPhrases } from './text.ts'

/** A lead's identity, from which its name is derived. */
export type LeadIdentity = {
  id: string
  firstName: string | null
  lastName: string | null
  company: string | null
  email: string | null
  phone: string | null
  externalId: string | null
  erasedAt: string | null
}
type Visibility = AccountFacts['partnerVisibility']

/** Full name, else company, else local part of the e-mail, else phone, else external id. */
export const formatLeadName = (lead: LeadIdentity): string =>
  fullName(lead) || lead.company || lead.email?.split('@')[0] || lead.phone || lead.externalId || withoutName(lead)

const withoutName = ({ id, erasedAt }: Pick<LeadIdentity, 'id' | 'erasedAt'>) =>
  erasedAt ? leadPhrases.names.erased({ id: id.slice(-4) }) : leadPhrases.names.lead({ id: id.slice(-6) })

/**
 * Returns a partner's view of a lead's identity. Names and company if the account shows lead names; e-mail and phone in
 * full if it shows e-mails, else masked. Nothing for a customer, whose friends they are, and of a duplicate, which is another partner's lead.
 */
export function identityFor<L extends LeadIdentity & { status: LeadStatus }>(
  lead: L,
  { leadNames, leadEmails, asFriends }: Visibility,
): L {
  const known = lead.status !== 'duplicate'
  const named = known && leadNames
  const reached = known && !asFriends
  return {
    ...lead,
    firstName: named ? lead.firstName : null,
    lastName: named ? lead.lastName : null,
    company: named ? lead.company : null,
    email: reached && lead.email ? (leadEmails ? lead.email : maskedEmail(lead.email)) : null,
    phone: reached && lead.phone ? (leadEmails ? lead.phone : maskedPhone(lead.phone)) : null,
    externalId: null,
  }
}

/** Returns the numbers of these friends among all whom their partner referred, the first one's is 1. */
async function friendNumbers(db: Queryable, accountId: string, ids: string[]): Promise<Map<string, number>> {
  const rows = await db.many<{ id: string; number: number }>`
    select t.id, (
      select count(*) from leads o
      where o.account_id = ${accountId} and o.partner_id = t.partner_id and (o.created_at, o.id) <= (t.created_at, t.id)) as number
    from leads t where t.account_id = ${accountId} and t.id = any(${ids}::uuid[])`
  return new Map(rows.map(({ id, number }) => [id, number]))
}

type Named = LeadIdentity & { status: LeadStatus }

/** Returns the names of leads as a partner sees them, by id; a customer’s are 'Friend 3'. */
export async function namesFor(
  db: Queryable,
  reader: Pick<Access, 'language'> & { account: Pick<AccountFacts, 'id' | 'partnerVisibility'> },
  leads: Named[],
): Promise<Map<string, string>> {
  const { id: accountId, partnerVisibility } = reader.account
  if (!partnerVisibility.asFriends)
    return wordFor(reader, () => new Map(leads.map((lead) => [lead.id, nameFor(lead, partnerVisibility)])))
  const numbers = await friendNumbers(
    db,
    accountId,
    leads.map(({ id }) => id),
  )
  return wordFor(
    reader,
    () => new Map(leads.map(({ id }) => [id, leadPhrases.names.friend({ number: String(numbers.get(id)) })])),
  )
}

/** Returns the name as a partner sees it; masked e-mail and phone are not used as names. */
export const nameFor = (lead: Named, visibility: Visibility): string => {
  const seen = identityFor(lead, visibility)
  return formatLeadName(visibility.leadEmails ? seen : { ...seen, email: null, phone: null })
}

/** Shows the last two digits. */
const maskedPhone = (phone: string) => `${MASK}${phone.replace(/\D/g, '').slice(-2)}`
