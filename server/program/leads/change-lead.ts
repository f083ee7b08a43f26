import { isReachable, type LeadChange } from '#contract/leads.ts'
import { DateOnly } from '#contract/values.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { omitUndefined } from '../../platform/omit-undefined.ts'
import { notFound, wrongField } from '../../platform/refusal.ts'
import { dayStart } from '../../platform/time/day-start.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { alreadyRegistered } from './create-lead.ts'
import { emitLeadEvent } from './emit-lead-events.ts'
import { refuseHeld } from './lead-holder.ts'
import { comparablePhone } from './phone.ts'
import { presentLead } from './present-lead.ts'
import { type Identity, type LeadRow, leadsLike, leadTable, lockIdentities, lockLead } from './queries.ts'

/**
 * Changes a lead's identity and protection.
 * Refuses: `validation_failed` if no way to reach it would be left; `duplicate` for another lead's e-mail, phone or
 * external id, and for protecting it longer if another lead has its person by now.
 */
export async function changeLead(tx: Transaction, by: Author, account: AccountFacts, id: string, change: LeadChange) {
  const before = await lockLead(tx, account.id, id)
  if (!before) throw notFound()
  if (isReachable(before) && !isReachable({ ...before, ...omitUndefined(change) }))
    throw wrongField('email', 'lead_unreachable')
  const { protectedUntil, ...fields } = change
  const next = {
    ...fields,
    protectedUntil: protectedUntil == null ? protectedUntil : await startOf(tx, account, protectedUntil),
  }
  const changes = diffFields(before, next)
  if (Object.keys(changes).length === 0) return presentLead(tx, { account, partnerId: null }, id)

  const phoneE164 = change.phone === undefined ? undefined : comparablePhone(change.phone)
  const taken: Identity = {
    email: changes.email ? (change.email ?? null) : null,
    phoneE164: phoneE164 && phoneE164 !== before.phoneE164 ? phoneE164 : null,
    externalId: changes.externalId ? (change.externalId ?? null) : null,
  }
  await refuseTaken(tx, account.id, id, taken)
  if (holdsLonger(before, next.protectedUntil))
    await refuseHeld(tx, account.id, id, { ...before, ...omitUndefined({ email: change.email, phoneE164 }) })
  await leadTable.update(tx, { accountId: account.id, id }, { ...next, phoneE164 })
  return emitLeadEvent(tx, by, account.id, 'lead.updated', { id, changes })
}

/** Whether a lead that may hold its person does so for longer, perhaps again. */
const holdsLonger = ({ status, protectedUntil: before }: LeadRow, next: string | null | undefined) =>
  next !== undefined &&
  before !== null &&
  ['new', 'qualified', 'lost'].includes(status) &&
  (next === null || Date.parse(next) > Date.parse(before))

async function refuseTaken(tx: Transaction, accountId: string, id: string, identity: Identity) {
  await lockIdentities(tx, accountId, [identity])
  const others = (await leadsLike(tx, accountId, identity)).filter((lead) => lead.id !== id)
  const other = others.find((lead) => lead.by === 'external-id') ?? others.find((lead) => lead.holds)
  if (!other) return
  const field = other.by === 'external-id' ? 'externalId' : other.by
  throw alreadyRegistered(other.id, field)
}

/** Converts a date to its first moment in the account's time zone. */
async function startOf(tx: Transaction, { timeZone }: AccountFacts, day: string) {
  if (!DateOnly.safeParse(day).success) return new Date(day).toISOString()
  const { at } = await tx.one<{ at: string }>`select ${dayStart(sql`${day}::date`, timeZone)} as at`
  return at
}
