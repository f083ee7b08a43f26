import type { LeadEvent } from '#contract/terms.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { sql } from '../../../platform/database/sql.ts'
import { termsInForce } from '../../terms/in-force.ts'
import { type LeadCredit, leadPay, leadRule, retainsPay } from '../../terms/lead-terms.ts'

export const LEAD_PAY = 'pay for a lead is that of its terms, while its status keeps it'

type PaidLead = {
  id: string
  accountId: string
  event: LeadEvent
  status: string
  credit: LeadCredit | null
  isErased: boolean
  entries: {
    layer: number
    partnerId: string
    amount: number
    kind: string
    day: string
    inTime: boolean
  }[]
}

/** Leads read at once. */
const AT_ONCE = 500

/**
 * Recomputes the pay for leads with the functions that booked it: the terms in force up to what the booking saw, their
 * rule, and what each partner keeps.
 */
export async function checkLeadPay(db: Queryable) {
  const differences: { subject: string; expected: string; actual: string }[] = []
  let after: PaidLead | undefined
  for (;;) {
    const leads = await leadsAfter(db, after)
    for (const [, same] of Map.groupBy(leads, ({ accountId, credit }) => `${accountId} ${credit?.seen}`))
      differences.push(...(await differencesOf(db, same)))
    after = leads.at(-1)
    if (leads.length < AT_ONCE) return differences
  }
}

const leadsAfter = (db: Queryable, after: PaidLead | undefined) => db.many<PaidLead>`
  select t.account_id, t.id, t.status, t.event, t.credit, t.erased_at is not null as is_erased, coalesce((
    select jsonb_agg(jsonb_build_object('layer', e.layer, 'partnerId', e.partner_id, 'amount', e.amount, 'kind', e.kind,
      'day', e.day, 'inTime', e.available_at = case when e.clawback then e.created_at
        else ((t.credit ->> 'day')::date + (t.credit ->> 'payoutDelay')::integer)::timestamp at time zone (t.credit ->> 'timeZone') end)
      order by e.id)
    from commission_entries e where e.account_id = t.account_id and e.lead_id = t.id and e.paid_for = t.event), '[]') as entries
  from (
    select l.account_id, l.id, l.status, l.erased_at, k.event, l.credit -> k.event as credit
    from leads l cross join (values ('new-customer'), ('qualified-lead')) as k (event)
    where l.credit ? k.event or exists (
      select from commission_entries e where e.account_id = l.account_id and e.lead_id = l.id and e.paid_for = k.event)) t
  where ${after ? sql`(t.account_id, t.id, t.event) > (${after.accountId}, ${after.id}, ${after.event})` : sql`true`}
  order by t.account_id, t.id, t.event limit ${AT_ONCE}`

/** Returns the differences of leads of one account, whose bookings saw the same versions. */
async function differencesOf(db: Queryable, leads: PaidLead[]) {
  const credited = leads.flatMap(({ id, accountId, event, credit }) => {
    const partnerId = credit?.line[0]?.partnerId
    return credit && partnerId ? [{ id, accountId, event, partnerId, ...credit }] : []
  })
  const seen = credited[0]?.seen ?? 0
  const log = sql`(select * from terms_log where number <= ${seen})`
  const byEvent = new Map<LeadEvent, Awaited<ReturnType<typeof termsInForce>>>()
  for (const [event, own] of Map.groupBy(credited, (one) => one.event))
    byEvent.set(event, await termsInForce(db, own, log))
  return leads.flatMap((lead) => {
    const { id, event, status, credit, isErased, entries } = lead
    const inForce = byEvent.get(event)?.get(id)
    if (!credit || !inForce)
      return [{ subject: `${id} ${event}`, expected: 'a credit', actual: JSON.stringify(credit) }]
    const { terms, source, number } = inForce
    // the facts that an erased lead's rule needs are gone
    const found = isErased ? credit.rule : leadRule(terms, event, credit.lead)
    const rule = credit.unpaid ? null : (found ?? null)
    const words = (of: { source: unknown; number: unknown; rule: unknown }) =>
      `${of.number} of ${of.source}, rule ${of.rule}`
    const [wanted, stored] = [words({ source, number, rule }), words(credit)]
    if (wanted !== stored) return [{ subject: `${id} ${event}`, expected: wanted, actual: stored }]
    const pays = leadPay(credit, terms)
    const expected = pays.map(({ layer, partnerId, amount }) => {
      const kept = retainsPay(event, status, credit) ? amount : 0
      return `layer ${layer} of ${partnerId}: ${kept} of ${amount} on ${credit.day}`
    })
    const former = entries.splice(0, credit.former ?? 0).reduce((all, { amount }) => all + amount, 0)
    if (former !== 0) return [{ subject: `${id} ${event}`, expected: '0 of undone imports', actual: `${former}` }]
    const byLayer = Map.groupBy(entries, ({ layer, partnerId }) => `layer ${layer} of ${partnerId}`)
    const actual = [...byLayer].map(([layer, own]) => {
      const earned = own.filter(({ kind }) => kind === 'earned')
      const sum = (some: typeof own) => some.reduce((all, { amount }) => all + amount, 0)
      const late = own.every(({ inTime }) => inTime) ? '' : ', due at another time'
      return `${layer}: ${sum(own)} of ${sum(earned)} on ${earned.map(({ day }) => day).join(' and ')}${late}`
    })
    const [should, has] = [expected, actual].map((lines) => lines.toSorted().join('; '))
    return should === has ? [] : [{ subject: `${id} ${event}`, expected: should!, actual: has! }]
  })
}
