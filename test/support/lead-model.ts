import { isPaidFor, type Visits } from './visitor-model.ts'

/**
 * The ownership of leads, a second time and as plainly as can be (product.md, section 1). Nothing of the product is
 * imported. People are distinguished by e-mail and phone; partners are numbers.
 */
export type Lead = {
  id: string
  createdAt: number
  partner: number | null
  email: string | null
  phone: string | null
  status: 'new' | 'qualified' | 'won' | 'lost' | 'rejected' | 'expired' | 'duplicate'
  protectedUntil: number | null
  first: Lead | null
  /** The moment from which its partner has it; reopening a rejected or expired lead starts again. */
  referredAt: number | null
  sales: number
}

export type Who = { email: string | null; phone: string | null }
/**
 * `partner`: registered by the partner; `system`: sent by the account's system, which takes precedence; `form`: only
 * adds.
 */
export type RegistrationKind = 'form' | 'system' | 'partner' | 'hand'
/** `payers`: e-mails of the buyers in sales without a credited partner. */
export type Book = { leads: Lead[]; protectionMs: number; partners: number; payers: Set<string>; visits: Visits }

/** The result of a registration: a known lead or a new one, whose first registration may be another partner's. */
export type Outcome =
  | { known: Lead; duplicate: boolean }
  | { made: Lead | null; duplicate: boolean; status?: 'rejected' }
  | 'refused'

/** Leads of the same moment are ordered by id. */
const byAge = (one: Lead, other: Lead) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)

const isProtected = ({ protectedUntil }: Lead, now: number) => protectedUntil === null || protectedUntil > now
const until = ({ protectionMs }: Book, now: number) => (protectionMs === 0 ? null : now + protectionMs)

/** Whether no other partner can register this lead's person. */
export function isTaken(lead: Lead, now: number): boolean {
  if (lead.status === 'duplicate') return false
  if (lead.sales > 0 || lead.status === 'won') return true
  return ['new', 'qualified', 'lost'].includes(lead.status) && isProtected(lead, now)
}

/** Leads with this e-mail or phone: by e-mail first, then taken ones, then the oldest. */
function alike(book: Book, { email, phone }: Who, now: number): Lead[] {
  const rank = (lead: Lead) => (email && lead.email === email ? 0 : 2) + (isTaken(lead, now) ? 0 : 1)
  return book.leads
    .filter((lead) => lead.status !== 'duplicate')
    .filter((lead) => (email && lead.email === email) || (phone && lead.phone === phone))
    .sort((one, other) => rank(one) - rank(other) || byAge(one, other))
}

/** Another lead that holds the person of this one, by e-mail or phone. */
export const otherHolder = (book: Book, now: number, lead: Lead, who: Who = lead): Lead | undefined =>
  alike(book, who, now).find((one) => one !== lead && isTaken(one, now))

/** Registers a person; `make` returns the id and the moment of a new lead. */
export function registerPerson(
  book: Book,
  now: number,
  way: RegistrationKind,
  partner: number | null,
  who: Who,
): Outcome {
  const bought = (way === 'partner' || way === 'form') && who.email !== null && book.payers.has(who.email)
  // a partner cannot claim people whom the account found by itself
  const own = (lead: Lead) =>
    lead.partner === partner ||
    (way !== 'partner' && !(bought && partner !== null) && (lead.partner === null || partner === null))
  const found = alike(book, who, now)
  const known =
    found.find((lead) => isTaken(lead, now)) ?? found.find((lead) => lead.status === 'rejected' && own(lead))
  if (bought && partner !== null) {
    if (!known) return { made: null, duplicate: true, status: 'rejected' }
    if (own(known) && known.status === 'rejected') return { known, duplicate: true }
  }
  if (!known) return { made: null, duplicate: false }
  if (!own(known)) {
    const earlier = book.leads.filter((lead) => lead.first === known && lead.partner === partner).sort(byAge)[0]
    if (!earlier) return { made: known, duplicate: true }
    return way === 'hand' ? 'refused' : { known: earlier, duplicate: true }
  }
  if (way === 'hand') return 'refused'
  // a partner's or a form's submission adds no phone of another partner's lead
  const holder = who.phone && otherHolder(book, now, known, { email: null, phone: who.phone })
  const isOthers = (way === 'partner' || way === 'form') && holder && holder.partner !== known.partner
  for (const field of isOthers && !known.phone ? (['email'] as const) : (['email', 'phone'] as const))
    if (who[field] && (way === 'system' || !known[field]) && !(field === 'email' && bought)) known[field] = who[field]
  if (known.partner === null && known.sales === 0 && partner !== null)
    Object.assign(known, { partner, referredAt: now })
  return { known, duplicate: false }
}

export function createLead(
  book: Book,
  now: number,
  who: Who,
  { id, createdAt, partner, first }: Pick<Lead, 'id' | 'createdAt' | 'partner' | 'first'>,
  status: Lead['status'] = first ? 'duplicate' : 'new',
) {
  const referredAt = partner === null ? null : now
  const protectedUntil = until(book, now)
  book.leads.push({ ...who, id, createdAt, partner, first, status, protectedUntil, referredAt, sales: 0 })
}

/** Applies the expiry of leads; customers never expire. */
export function expireLeads(book: Book, now: number) {
  for (const lead of book.leads)
    if (['new', 'qualified'].includes(lead.status) && lead.sales === 0 && !isProtected(lead, now))
      lead.status = 'expired'
}

/** Moves a lead by hand; returns why that is refused. */
export function changeStatus(book: Book, now: number, lead: Lead, status: Lead['status']) {
  const isClosed = ['lost', 'rejected', 'expired'].includes(lead.status)
  const allowed = isClosed
    ? ['new', 'qualified']
    : { new: ['qualified', 'lost', 'rejected'], qualified: ['lost', 'rejected'] }[lead.status as 'new' | 'qualified']
  if (!allowed?.includes(status)) return 'lead_status_not_next'
  if (isClosed && otherHolder(book, now, lead)) return 'lead_held'
  if (isClosed && !isProtected(lead, now)) lead.protectedUntil = until(book, now)
  if (lead.status !== 'lost' && isClosed && lead.partner !== null) lead.referredAt = now
  lead.status = status
  return null
}

/** Protects a lead until another moment; returns why that is refused. */
export function protectLead(book: Book, now: number, lead: Lead, next: number) {
  const isLonger = lead.protectedUntil !== null && next > lead.protectedUntil
  const mayHold = ['new', 'qualified', 'lost'].includes(lead.status)
  if (isLonger && mayHold && otherHolder(book, now, lead)) return 'lead_held'
  lead.protectedUntil = next
  return null
}

export function creditLead(lead: Lead, now: number, partner: number | null) {
  if (partner === lead.partner) return
  lead.partner = partner
  lead.referredAt = partner === null ? null : now
}

/** The partner credited for the lead's sales; null once it is rejected. */
export const creditedPartner = ({ status, partner }: Lead) => (status === 'rejected' ? null : partner)

export function bookSale(lead: Lead) {
  lead.sales++
  if (lead.status === 'rejected') return
  lead.status = 'won'
  lead.first = null
}

/**
 * Returns the lead that a payment by e-mail belongs to: customers first, then the oldest that is open, won or lost and
 * protected; else a rejected one. A lead referred after the end of the day of payment does not count: `later` if there
 * is no other.
 */
export function findPayer(book: Book, now: number, email: string, paidBy: number): Lead | 'later' | undefined {
  const inTime = (lead: Lead) => creditedPartner(lead) === null || lead.referredAt! <= paidBy
  const rank = (lead: Lead) => (lead.status === 'rejected' ? 2 : 0) + (lead.sales > 0 ? 0 : 1)
  const found = book.leads
    .filter((lead) => lead.email === email)
    .filter(
      (lead) =>
        lead.status === 'rejected' ||
        (['new', 'qualified', 'won', 'lost'].includes(lead.status) && (lead.sales > 0 || isProtected(lead, now))),
    )
  return (
    found.filter(inTime).sort((one, other) => rank(one) - rank(other) || byAge(one, other))[0] ?? (found[0] && 'later')
  )
}

/**
 * Returns whether the lead, without sales and pay, may be deleted; then its oldest later registration replaces it, unless another lead holds
 * their person by now.
 */
export function deleteLead(book: Book, now: number, lead: Lead): boolean {
  if (lead.sales > 0 || isPaidFor(book, lead)) return false
  const [heir, ...others] = book.leads.filter(({ first }) => first === lead).sort(byAge)
  const holder = heir && otherHolder(book, now, lead, heir)
  if (heir) Object.assign(heir, holder ? { first: holder } : { status: 'new', first: null })
  for (const other of others) other.first = holder ?? heir!
  book.leads.splice(book.leads.indexOf(lead), 1)
  return true
}
