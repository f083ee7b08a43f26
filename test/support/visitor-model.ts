import { type Book, isTaken, type Lead, type Outcome, otherHolder, registerPerson, type Who } from './lead-model.ts'

/**
 * One visitor, one lead (pages.md, rules 26 and 27), a second time and as plainly as can be, with what a qualified lead
 * pays. Nothing of the product is imported.
 */
export type Form = { id: string; joins: string | null; corrects: boolean }
/** A lead’s past. `to`: the partner it pays; null if it pays none. */
type Past = { qualified: boolean; partner: boolean; duplicate: boolean; to?: number | null }
export type Visits = {
  forms: (Form & { lead: Lead })[]
  /** Leads that a form of a page made. */
  fromForms: Set<Lead>
  past: Map<Lead, Past>
}

/** `again`: the form is known. `into`: the lead that the visitor's forms are by now. */
export type Sent = 'again' | { joined: Lead; into: Lead; duplicate: boolean } | Outcome

const differ = (one: string | null, other: string | null) => one !== null && other !== null && one !== other

/** Receives a form; the caller adds a new lead, and keeps the form with its lead. */
export function receiveForm(book: Book, now: number, partner: number | null, who: Who, form: Form): Sent {
  // a lead is deleted with its forms
  const forms = book.visits.forms.filter(({ lead }) => book.leads.includes(lead))
  book.visits.forms = forms
  if (forms.some(({ id }) => id === form.id)) return 'again'
  const earlier = forms.find(({ id }) => id === form.joins)
  const later = forms.filter(({ joins }) => joins === form.id).sort(byId)[0]
  const lead = (earlier ?? later)?.lead
  const isCorrection = (earlier ? form : later)?.corrects
  const isOther = lead && !isCorrection && (differ(lead.email, who.email) || differ(lead.phone, who.phone))
  if (!lead || isOther || lead.partner !== partner || !mayChange(book, now, lead))
    return registerPerson(book, now, 'form', partner, who)
  const corrects = earlier && form.corrects
  const email = corrects || lead.email === null ? who.email : null
  const added = { email: email === lead.email ? null : email, phone: lead.phone === null ? who.phone : null }
  const isCustomer = partner !== null && added.email !== null && book.payers.has(added.email)
  const other = otherHolder(book, now, lead, added)
  if (!other) {
    lead.email = added.email ?? lead.email
    lead.phone = added.phone ?? lead.phone
    if (isCustomer) lead.status = 'rejected'
    return { joined: lead, into: lead, duplicate: isCustomer }
  }
  Object.assign(lead, { status: 'duplicate', first: other })
  for (const one of book.leads) if (one.first === lead) one.first = other
  const isFree = other.partner === null || partner === null
  if (other.partner !== partner && (!isFree || isCustomer)) return { joined: lead, into: lead, duplicate: true }
  const phone = added.phone ?? lead.phone
  const holder = phone && otherHolder(book, now, other, { email: null, phone })
  if (!isCustomer) other.email ??= added.email ?? lead.email
  if (!holder || holder.partner === other.partner) other.phone ??= phone
  if (other.partner === null && other.sales === 0 && partner !== null)
    Object.assign(other, { partner, referredAt: now })
  return { joined: lead, into: other, duplicate: false }
}

const byId = (one: Form, other: Form) => (one.id < other.id ? -1 : 1)

/** Whether a form's lead is not judged yet, and nothing was bought or paid. */
const mayChange = (book: Book, now: number, lead: Lead) =>
  book.visits.fromForms.has(lead) &&
  lead.status === 'new' &&
  isTaken(lead, now) &&
  lead.sales === 0 &&
  !isPaidFor(book, lead)

/** Whether a lead has ever paid a partner. */
export const isPaidFor = ({ visits: { past } }: Book, lead: Lead) => typeof past.get(lead)?.to === 'number'

/** Notes whom each lead pays, once it is first qualified or won with a partner: after each thing that happens. */
export function recordPayees({ leads, visits: { past } }: Book) {
  for (const lead of leads) {
    const before = past.get(lead) ?? { qualified: false, partner: lead.partner !== null, duplicate: false }
    const isQualified = lead.status === 'qualified' || lead.status === 'won'
    const gained = !before.partner && lead.partner !== null
    if (isQualified && lead.partner !== null && (!before.qualified || gained) && before.to === undefined)
      before.to = before.duplicate ? null : lead.partner
    before.qualified ||= isQualified
    before.partner ||= lead.partner !== null
    before.duplicate = lead.status === 'duplicate'
    past.set(lead, before)
  }
}

/** Returns how many leads pay this partner now. */
export const paidLeads = ({ visits: { past } }: Book, partner: number) =>
  [...past].filter(([{ status }, { to }]) => to === partner && status !== 'rejected').length
