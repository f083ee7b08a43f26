import type { LeadStatus } from '#contract/leads.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { fullName, MASK, maskedEmail } from '../partner-directory/partner-names.ts'

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
  erasedAt ? `Erased lead ${id.slice(-4)}` : `Lead ${id.slice(-6)}`

/**
 * Returns a partner's view of a lead's identity. Names and company if the account shows lead names; e-mail and phone in
 * full if it shows e-mails, else masked. Nothing of a duplicate, which is another partner's lead.
 */
export function identityFor<L extends LeadIdentity & { status: LeadStatus }>(
  lead: L,
  { leadNames, leadEmails }: Visibility,
): L {
  const known = lead.status !== 'duplicate'
  const named = known && leadNames
  return {
    ...lead,
    firstName: named ? lead.firstName : null,
    lastName: named ? lead.lastName : null,
    company: named ? lead.company : null,
    email: known && lead.email ? (leadEmails ? lead.email : maskedEmail(lead.email)) : null,
    phone: known && lead.phone ? (leadEmails ? lead.phone : maskedPhone(lead.phone)) : null,
    externalId: null,
  }
}

/** Returns the name as a partner sees it; masked e-mail and phone are not used as names. */
export const nameFor = (lead: LeadIdentity & { status: LeadStatus }, visibility: Visibility): string => {
  const seen = identityFor(lead, visibility)
  return formatLeadName(visibility.leadEmails ? seen : { ...seen, email: null, phone: null })
}

/** Shows the last two digits. */
const maskedPhone = (phone: string) => `${MASK}${phone.replace(/\D/g, '').slice(-2)}`
