import type { FraudRule } from '#contract/fraud.ts'
import type { LeadStatus } from '#contract/leads.ts'
import type { LeadEvent } from '#contract/terms.ts'
import { type Author, toActor } from '../../platform/author.ts'
import { eachAccount, rowsByKeySql } from '../../platform/database/by-key.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { refusal } from '../../platform/refusal.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { holdAccounts } from '../access/lock-accounts.ts'
import { computeCorrection } from '../commissions/correct-entries.ts'
import { type Referral, readSaleTerms } from '../commissions/earnings.ts'
import { type NewEntry, newEntry, writeEntries } from '../commissions/entries.ts'
import { saleOnHold } from '../commissions/entry-status.ts'
import { saveVoidedLeadPay } from '../commissions/voided.ts'
import { casesHoldingLeads } from '../fraud/facts.ts'
import { count, refusePast } from '../stats/count.ts'
import { computeCap, haveCaps, withoutCustomer } from '../terms/caps.ts'
import {
  type LeadCredit,
  type LeadCredits,
  leadEvents,
  leadPay,
  leadRule,
  paysForLeads,
  refusesLead,
  retainsPay,
} from '../terms/lead-terms.ts'
import { holdCaps } from './caps.ts'
import { isWinning } from './payment-time.ts'

export const IMPORT_UNDONE = 'Import undone'
const CASE_VOIDED = 'The case was voided'
const ANOTHER_SALE = 'Another sale of the customer counts'

/** A lead whose status or partner has just changed, and the author of that. */
export type Moved = {
  accountId: string
  id: string
  /** Its status before. */
  was: LeadStatus
  /** It had no partner just before; called before the change is announced. */
  gained?: boolean
  by: Author
}

type PaidLead = {
  id: string
  accountId: string
  partnerId: string | null
  blueprintId: string | null
  source: string
  email: string | null
  status: LeadStatus
  referredAt: string
  credit: LeadCredits | null
  /** It was never qualified, or never won, until now. */
  firstQualified: boolean
  firstWon: boolean
  /** The account has terms that pay for leads. */
  payable: boolean
}

/**
 * Pays for leads (terms.md, rules 21 to 23): each event once, when it first happens, or when the lead gets its first
 * partner after it, by the terms in force at that moment. What a lead has lost by its present status is taken back, and
 * given again when it returns; what a customer pays waits for the sale that keeps them. Called after each change of a
 * lead's status or partner, or of the sale that its pay rests on; the caller has locked the row. One statement for accounts whose terms pay for no leads.
 */
export async function payForLeads(tx: Transaction, moved: Moved[]): Promise<void> {
  if (moved.length === 0) return
  const moves = new Map(moved.map((move) => [move.id, move]))
  const leads = await saveMoments(tx, moved)
  const payable = leads.filter((lead) => lead.payable)
  const gained = payable.filter(({ id }) => moves.get(id)!.gained)
  const credits = await creditLeads(tx, payable, moves, await withFirstPartner(tx, gained))
  const corrected = await correctPay(
    tx,
    leads.filter(({ credit }) => credit),
    moves,
  )
  const entries = [...credits.entries, ...corrected.entries]
  if (entries.length === 0) return
  await writeEntries(tx, entries)
  await saveVoidedLeadPay(tx, corrected.changes)
  const byId = new Map(leads.map((lead) => [lead.id, lead]))
  refusePast(
    await count(
      tx,
      entries.map(({ accountId, leadId, paidFor, partnerId, day, amount }) => {
        const { blueprintId } = byId.get(leadId!)!.credit![paidFor!]!
        return { accountId, leadId, partnerId, blueprintId, day, share: amount }
      }),
    ),
  )
}

/**
 * Takes back for good what a lead has paid for this partner and the ones above, whose import is undone. One that only
 * bought by sales that are void was never won. The caller has locked the lead, and moved it.
 * Refuses: `invalid_state` if any of it is in an approved payout.
 */
export async function revertLeadPay(
  tx: Transaction,
  by: Author,
  { accountId, id, status, partnerId }: Pick<PaidLead, 'accountId' | 'id' | 'status' | 'partnerId'>,
) {
  const { credit } = await tx.one<{ credit: LeadCredits | null }>`
    update leads l set first_won_at = case when exists (
      select from sales where account_id = ${accountId} and lead_id = ${id} and status <> 'void') then first_won_at end
    where l.account_id = ${accountId} and l.id = ${id} returning credit`
  const theirs = leadEvents.filter((event) => credit?.[event]?.line[0]?.partnerId === partnerId)
  if (theirs.length === 0) return
  const used = await tx.maybe`
    select from commission_entries e join payout_entries b on b.account_id = ${accountId} and b.entry_id = e.id and b.live
    where e.account_id = ${accountId} and e.lead_id = ${id} and e.paid_for = any(${theirs}::text[]) limit 1`
  if (used) throw refusal('import_paid_from')
  const undone = Object.fromEntries(theirs.map((event) => [event, { ...credit![event], undone: true }]))
  await tx.run`
    update leads set credit = credit || ${JSON.stringify(undone)}::jsonb where account_id = ${accountId} and id = ${id}`
  await payForLeads(tx, [{ accountId, id, was: status, by }])
}

/** Pay for leads that a case holds, with their status. */
type HeldPay = Pick<PaidLead, 'accountId' | 'id' | 'status'> & { events: LeadEvent[] }

/** Returns the leads for which a case holds pay. */
export const payHeldBy = (db: Queryable, accountId: string, caseId: string) => db.many<HeldPay>`
  select l.account_id, l.id, l.status, array_agg(distinct e.paid_for) as events
  from commission_entries e join leads l on l.account_id = ${accountId} and l.id = e.lead_id
  where e.account_id = ${accountId} and e.held_by @> array[${caseId}]::uuid[]
    -- not one of a credit that was undone
    and coalesce((l.credit -> e.paid_for ->> 'former')::integer, 0) <= (
      select count(*) from commission_entries o
      where o.account_id = ${accountId} and o.lead_id = e.lead_id and o.paid_for = e.paid_for and o.id < e.id)
  group by l.account_id, l.id, l.status order by l.id`

/** Takes back for good what a case holds that is voided. The caller has locked the leads. */
export async function voidPay(tx: Transaction, by: Author, held: HeldPay[]) {
  const voided = held.map(({ events }) => JSON.stringify(events))
  await tx.run`
    update leads l set credit = l.credit || (
      select jsonb_object_agg(event, l.credit -> event || '{"voided": true}') from jsonb_array_elements_text(n.events) as event)
    from unnest(${held.map(({ accountId }) => accountId)}::uuid[], ${held.map(({ id }) => id)}::uuid[], ${voided}::jsonb[])
      as n (account_id, id, events)
    where l.account_id = n.account_id and l.id = n.id`
  await payForLeads(
    tx,
    held.map(({ status, ...lead }) => ({ ...lead, was: status, by })),
  )
}

/** Stores when leads were first qualified and won. */
function saveMoments(tx: Transaction, moved: Moved[]) {
  const accountIds = moved.map(({ accountId }) => accountId)
  const ids = moved.map(({ id }) => id)
  const account = eachAccount(accountIds, sql`before.account_id`)
  return tx.many<PaidLead>`
    with before as materialized (
      select t.account_id, t.id, t.first_qualified_at, t.first_won_at, ${paysForLeads(eachAccount(accountIds, sql`t.account_id`))} as payable
      from ${rowsByKeySql(sql`leads`, accountIds, ids, { lock: sql`for no key update` })})
    update leads l set
      first_qualified_at = case when l.status in ('qualified', 'won') then coalesce(l.first_qualified_at, ${tx.now}) else l.first_qualified_at end,
      first_won_at = case when l.status = 'won' then coalesce(l.first_won_at, ${tx.now}) else l.first_won_at end
    from before where l.account_id = ${account} and l.id = before.id
    returning l.id, l.account_id, l.partner_id, l.blueprint_id, l.source, l.email, l.status, l.credit,
      coalesce(l.attributed_at, l.created_at) as referred_at, before.first_qualified_at is null as first_qualified,
      before.first_won_at is null as first_won, before.payable`
}

/**
 * Returns the ids of these leads, which have just got a partner, without those that had one earlier; one that an undone
 * import gave them doesn't count.
 */
async function withFirstPartner(tx: Transaction, leads: PaidLead[]): Promise<Set<string>> {
  if (leads.length === 0) return new Set()
  const accountIds = leads.map(({ accountId }) => accountId)
  const rows = await tx.many<{ id: string }>`
    select l.id from unnest(${accountIds}::uuid[], ${leads.map(({ id }) => id)}::uuid[]) as l (account_id, id)
    where (
      select count(*) filter (where e.data -> 'changes' -> 'reason' ->> 'new' is distinct from ${IMPORT_UNDONE})
        <= count(*) filter (where e.data -> 'changes' -> 'reason' ->> 'new' = ${IMPORT_UNDONE})
      from events e where e.account_id = ${eachAccount(accountIds, sql`l.account_id`)}
        and e.subject_type = 'lead' and e.subject_id = l.id and e.type = 'lead.reassigned')`
  return new Set(rows.map(({ id }) => id))
}

/** Returns the events of a lead to be judged now. */
function eventsOf({ status, credit, firstQualified, firstWon }: PaidLead, isFirstPartner: boolean): LeadEvent[] {
  const qualified = (status === 'qualified' || status === 'won') && (firstQualified || isFirstPartner)
  const won = status === 'won' && (firstWon || isFirstPartner)
  const isOpen = (event: LeadEvent) => !credit?.[event] || credit[event].undone
  return leadEvents.filter((event) => isOpen(event) && (event === 'new-customer' ? won : qualified))
}

/** Credits leads, and changes `credit` in memory; returns the entries of those that a rule pays. */
async function creditLeads(tx: Transaction, leads: PaidLead[], moves: Map<string, Moved>, firstReferred: Set<string>) {
  const judged = leads.flatMap((lead) => {
    const events = lead.partnerId && lead.source !== 'import' ? eventsOf(lead, firstReferred.has(lead.id)) : []
    return events.length > 0 ? [{ lead, events, partnerId: lead.partnerId! }] : []
  })
  if (judged.length === 0) return { entries: [] }
  const accounts = await holdAccounts(
    tx,
    judged.map(({ lead }) => lead.accountId),
  )
  const referrals = await readSaleTerms(
    tx,
    judged.map(({ lead, partnerId }) => ({ ...lead, partnerId, leadId: lead.id })),
  )
  const wonBy = await wonSales(
    tx,
    judged.filter(({ events }) => events.includes('new-customer')).map(({ lead }) => lead),
  )
  const cases = await casesHoldingLeads(
    tx,
    accounts,
    judged.map(({ lead, partnerId }) => ({ ...lead, partnerId })),
  )
  const entries: NewEntry[] = []
  const undone = await undonePay(tx, judged)
  const capped = ({ lead, partnerId }: (typeof judged)[number]) => {
    const { accountId } = lead
    const { isByCustomer, version } = referrals.get(lead.id)!
    const saleDate = dayIn(accounts.get(accountId)!.timeZone, tx.now)
    const terms = isByCustomer && version ? withoutCustomer(version) : null
    return { accountId, partnerId, leadId: null, saleDate, terms }
  }
  const used = await holdCaps(tx, judged.map(capped))
  for (const one of judged) {
    const { lead, events } = one
    const account = accounts.get(lead.accountId)!
    const referral = referrals.get(lead.id)!
    const { was, by } = moves.get(lead.id)!
    const wonSale = wonBy.get(lead.id)
    const isSaleRefused = wonSale !== undefined && refusesSale(account, referral, wonSale)
    for (const event of events) {
      const before = lead.credit?.[event]
      const former = undone.filter(({ leadId, paidFor }) => leadId === lead.id && paidFor === event)
      const credit: LeadCredit = {
        ...creditOf(tx, account, lead, referral, { event, was, wonSale, isSaleRefused }),
        // the figures of a link have one place for all pay of an event
        ...(before && { former: former.length, blueprintId: before.blueprintId }),
      }
      const pay = capped(one)
      if (used && pay.terms && haveCaps(pay.terms)) {
        const [planned] = leadPay(credit, referral.version)
        const cap = planned && computeCap(pay.terms, { unit: credit.unit }, planned.amount, used.byOthers(pay, 0))
        if (cap) credit.cap = cap
        used.addLeadPay(pay, cap?.kept ?? 0)
      }
      lead.credit = { ...lead.credit, [event]: credit }
      for (const { amount, ...pay } of leadPay(credit, referral.version))
        entries.push(
          newEntry({
            ...pay,
            accountId: lead.accountId,
            leadId: lead.id,
            paidFor: event,
            wonSaleId: event === 'new-customer' ? (wonSale?.id ?? null) : null,
            heldBy: cases.get(lead.id) ?? null,
            flatAmount: amount,
            amount,
            currency: account.defaultCurrency,
            kind: 'earned',
            turn: former.filter((one) => one.partnerId === pay.partnerId && one.layer === pay.layer).length,
            day: credit.day,
            actor: toActor(by),
          }),
        )
    }
  }
  await storeCredits(
    tx,
    judged.map(({ lead }) => lead),
  )
  return { entries }
}

/** Returns the entries of credits that are undone, of leads with new events. */
async function undonePay(tx: Transaction, judged: { lead: PaidLead; events: LeadEvent[] }[]) {
  const leads = judged.flatMap(({ lead, events }) => (events.some((event) => lead.credit?.[event]) ? [lead] : []))
  if (leads.length === 0) return []
  const accountIds = leads.map(({ accountId }) => accountId)
  return tx.many<{ leadId: string; paidFor: LeadEvent; partnerId: string; layer: number }>`
    select e.lead_id, e.paid_for, e.partner_id, e.layer
    from unnest(${accountIds}::uuid[], ${leads.map(({ id }) => id)}::uuid[]) as l (account_id, id)
      join commission_entries e on e.account_id = ${eachAccount(accountIds, sql`l.account_id`)} and e.lead_id = l.id`
}

/** Whether a fraud rule refused the commission of the sale, or will: one without a partner is judged after its lead. */
const refusesSale = (
  { selfReferralPolicy }: AccountFacts,
  { referrerEmails, isByCustomer }: Referral,
  { credited, payerEmail }: WonSale,
) =>
  !credited ||
  ((isByCustomer || selfReferralPolicy === 'refuse') && payerEmail !== null && referrerEmails.includes(payerEmail))

/** `isSaleRefused`: the sale that wins the lead now is the partner's own. */
type Judged = { event: LeadEvent; was: LeadStatus; wonSale: WonSale | undefined; isSaleRefused: boolean }

function creditOf(
  { now }: Transaction,
  account: AccountFacts,
  { email, blueprintId, referredAt }: PaidLead,
  { terms, version, referrerEmails, isByCustomer, ownLead }: Referral,
  { event, was, wonSale, isSaleRefused }: Judged,
) {
  const { payoutDelay, timeZone, selfReferralPolicy } = account
  const isOwn = ownLead !== null || (email !== null && referrerEmails.includes(email))
  const isRefused = isSaleRefused || refusesLead(isByCustomer ? 'refuse' : selfReferralPolicy, isOwn)
  const hasPaidBefore = isSaleRefused && !isOwn && wonSale?.holdRule === 'existing-customer'
  const lacksPayment = isByCustomer && event === 'new-customer' && !wonSale
  const unpaid = unpaidBecause({
    duplicate: was === 'duplicate',
    'paid-before': hasPaidBefore,
    'self-referral': isRefused,
    'no-payment': lacksPayment,
  })
  const { source, number, seen, line, lead, unit } = terms
  return {
    source,
    number: number!,
    seen: seen!,
    line,
    ...(lead && { lead }),
    ...(unit && { unit }),
    ...(unpaid && { unpaid }),
    rule: unpaid || !version ? null : (leadRule(version, event, lead) ?? null),
    blueprintId,
    referredAt,
    day: dayIn(timeZone, now),
    payoutDelay,
    timeZone,
  }
}

/** Returns the first reason that holds, or null. */
const unpaidBecause = (reasons: Record<NonNullable<LeadCredit['unpaid']>, boolean>) =>
  (['duplicate', 'paid-before', 'self-referral', 'no-payment'] as const).find((reason) => reasons[reason]) ?? null

const storeCredits = (tx: Transaction, leads: PaidLead[]) => {
  const accountIds = leads.map(({ accountId }) => accountId)
  return tx.run`
    update leads l set credit = n.credit
    from unnest(${accountIds}::uuid[], ${leads.map(({ id }) => id)}::uuid[],
      ${leads.map(({ credit }) => JSON.stringify(credit))}::jsonb[]) as n (account_id, id, credit)
    where l.account_id = ${eachAccount(accountIds, sql`n.account_id`)} and l.id = n.id`
}

type WonSale = {
  id: string
  credited: boolean
  holdRule: FraudRule | null
  payerEmail: string | null
  onHold: boolean
  wasOnHold: boolean
}

/**
 * Returns the sale of each of these leads that keeps its customer, by lead: above zero and not given back; the one in
 * `restsOn`, else the first; one whose commission a fraud rule refused only without another. `onHold`: it is held;
 * `wasOnHold`: the one in `restsOn` is.
 */
async function wonSales(tx: Transaction, leads: { accountId: string; id: string; restsOn?: string | null }[]) {
  if (leads.length === 0) return new Map<string, WonSale>()
  const accountIds = leads.map(({ accountId }) => accountId)
  const account = eachAccount(accountIds, sql`l.account_id`)
  const onHold = sql`coalesce(${saleOnHold(tx.now)}, false) as on_hold`
  const rows = await tx.many<WonSale & { leadId: string }>`
    select l.id as lead_id, s.id, s.credited, s.hold_rule, s.payer_email, s.on_hold, coalesce(former.on_hold, false) as was_on_hold
    from unnest(${accountIds}::uuid[], ${leads.map(({ id }) => id)}::uuid[],
        ${leads.map(({ restsOn = null }) => restsOn)}::uuid[]) as l (account_id, id, rests_on)
      cross join lateral (
        select id, credited, hold_rule, payer_email, ${onHold} from sales s
        where account_id = ${account} and lead_id = l.id and ${isWinning}
        order by id is not distinct from l.rests_on desc, credited desc, sale_date, external_id collate "C", id limit 1) s
      left join lateral (select ${onHold} from sales s where account_id = ${account} and id = l.rests_on) former on true`
  return new Map(rows.map(({ leadId, ...sale }) => [leadId, sale]))
}

/** Whether the pay for a customer rests on a sale that no longer keeps them. */
export const isRestingOnLost = (accountId: string, leadId: string) => sql`exists (
  select from commission_entries e
  where e.account_id = ${accountId} and e.lead_id = ${leadId} and e.paid_for = 'new-customer' and not exists (
    select from sales where account_id = ${accountId} and id = e.won_sale_id and lead_id = ${leadId} and ${isWinning}))`

type PaidEntry = Pick<NewEntry, 'accountId' | 'partnerId' | 'flatAmount' | 'rule' | 'amount' | 'currency' | 'kind'> & {
  leadId: string
  paidFor: LeadEvent
  wonSaleId: string | null
  heldBy: string[] | null
  layer: number
  availableAt: string
  bound: boolean
  /** Its place among all entries of the lead's event, from 1. */
  place: number
}

/** Returns entries that bring what leads earned before to what they keep in their present status. */
async function correctPay(tx: Transaction, leads: PaidLead[], moves: Map<string, Moved>) {
  const accountIds = leads.map(({ accountId }) => accountId)
  const account = eachAccount(accountIds, sql`l.account_id`)
  const paid =
    leads.length === 0
      ? []
      : await tx.many<PaidEntry>`
          select e.account_id, e.lead_id, e.paid_for, e.won_sale_id, e.held_by, e.partner_id, e.layer, e.flat_amount, e.rule,
            e.amount, e.currency, e.kind, e.available_at, exists (
              select from payout_entries b where b.account_id = ${account} and b.entry_id = e.id and b.live) as bound,
            row_number() over (partition by e.lead_id, e.paid_for order by e.id) as place
          from unnest(${accountIds}::uuid[], ${leads.map(({ id }) => id)}::uuid[]) as l (account_id, id)
            join commission_entries e on e.account_id = ${account} and e.lead_id = l.id
          order by e.id`
  const byId = new Map(leads.map((lead) => [lead.id, lead]))
  const accounts = paid.length > 0 ? await holdAccounts(tx, accountIds) : new Map<string, AccountFacts>()
  const ofCustomers = paid.filter(({ paidFor }) => paidFor === 'new-customer')
  const wonBy = await wonSales(tx, [
    ...new Map(
      ofCustomers.map((entry) => [entry.leadId, { ...entry, id: entry.leadId, restsOn: entry.wonSaleId }]),
    ).values(),
  ])
  const entries: NewEntry[] = []
  const changes = []
  const keyOf = ({ leadId, paidFor, partnerId, layer }: PaidEntry) => `${leadId} ${paidFor} ${partnerId} ${layer}`
  for (const all of Map.groupBy(paid, keyOf).values()) {
    const lead = byId.get(all[0]!.leadId)!
    const credit = lead.credit?.[all[0]!.paidFor]
    const own = all.filter(({ place }) => place > (credit?.former ?? 0))
    if (own.length === 0) continue
    const { accountId, leadId, paidFor, heldBy, partnerId, layer, flatAmount, rule, currency } = own[0]!
    const { wonSaleId } = own.at(-1)!
    const sale = paidFor === 'new-customer' ? wonBy.get(leadId) : undefined
    const sumOf = (some: PaidEntry[]) => some.reduce((sum, entry) => sum + entry.amount, 0)
    const earned = sumOf(own.filter(({ kind }) => kind === 'earned'))
    const has = sumOf(own)
    const becomes = retainsPay(paidFor, lead.status, credit) ? earned : 0
    const amount = becomes - has
    // what was paid stays so, and where nothing is held there is nothing to wait for
    const waits = has > 0 && sale && sale.id !== wonSaleId && (sale.onHold || sale.wasOnHold)
    const isMoved = amount === 0 && waits && !own.some(({ bound }) => bound)
    if (amount === 0 && !isMoved) continue
    const { by } = moves.get(leadId)!
    const day = dayIn(accounts.get(accountId)!.timeZone, tx.now)
    const actor = toActor(by)
    const written = [...own]
    const write = (amount: number, wonSaleId: string | null, reason: string) => {
      const entry = newEntry({
        accountId,
        leadId,
        paidFor,
        wonSaleId,
        heldBy,
        partnerId,
        layer,
        flatAmount,
        rule,
        amount,
        currency,
        day,
        actor,
        ...computeCorrection(written, amount, { now: tx.now }),
        turn: all.length - own.length + written.length,
        reason,
      })
      entries.push(entry)
      written.push({ ...own[0]!, amount, kind: entry.kind, bound: false })
    }
    if (isMoved) {
      write(-has, wonSaleId, ANOTHER_SALE)
      write(has, sale.id, ANOTHER_SALE)
      continue
    }
    const reason = credit?.undone ? IMPORT_UNDONE : credit?.voided ? CASE_VOIDED : reasonOf(paidFor, amount)
    write(amount, amount > 0 && sale ? sale.id : wonSaleId, reason)
    changes.push({ accountId, leadId, paidFor, partnerId, was: has, becomes, actor })
  }
  return { entries, changes }
}

const reasonOf = (event: LeadEvent, amount: number) => {
  if (event === 'qualified-lead') return amount < 0 ? 'The lead was rejected' : 'The lead is no longer rejected'
  return amount < 0 ? 'All sales of the customer were refunded' : 'The customer has a sale again'
}
