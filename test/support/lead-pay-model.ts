/**
 * Pay for leads (terms.md, rules 21 to 23), a second time and as plainly as can be: from what happened to one lead, with
 * nothing of the product imported.
 */
export type PaidEvent = 'qualified' | 'customer'
export type ModelTerms = {
  /** Amounts by layer, of leads of any country and of those from Germany; none: no rule. */
  pay: Record<PaidEvent, { all?: number[]; german?: number[] }>
  reach: 'all' | 'new'
  at: number
}
export type ModelLead = {
  /** Imported, or a duplicate until it has a sale: pays nothing. */
  imported: boolean
  german: boolean
  /** Partner whose e-mail it has. */
  own: number | null
  status: string
  partner: number | null
  hadPartner: boolean
  referredAt: number
  had: Record<PaidEvent, boolean>
  /** Amounts owed by partner, or null if nothing is; absent before the event. */
  owed: Partial<Record<PaidEvent, Map<number, number> | null>>
}
export type ModelPartner = { parent: number | null; active: boolean }

/** Updates the model with the state of a lead after something happened. */
export function updateModel(
  lead: ModelLead,
  now: Pick<ModelLead, 'status' | 'partner' | 'referredAt'>,
  { terms, partners, refusesOwn }: { terms: ModelTerms[]; partners: ModelPartner[]; refusesOwn: boolean },
) {
  const gained = !lead.hadPartner && now.partner !== null
  lead.hadPartner ||= gained
  const wasDuplicate = lead.status === 'duplicate'
  Object.assign(lead, now)
  const { status, partner } = lead
  const holds = { qualified: status === 'qualified' || status === 'won', customer: status === 'won' }
  for (const event of ['qualified', 'customer'] as const) {
    const happens = holds[event] && (!lead.had[event] || gained)
    if (holds[event]) lead.had[event] = true
    if (!happens || partner === null || lead.imported || lead.owed[event] !== undefined) continue
    const version = terms.findLast(({ reach, at }) => reach === 'all' || at <= lead.referredAt)!
    const { all, german } = version.pay[event]
    const amounts = (lead.german && german) || all
    if (!amounts || wasDuplicate || (refusesOwn && lead.own === partner)) {
      lead.owed[event] = null
      continue
    }
    const owed = new Map<number, number>()
    let earner: number | null = partner
    for (let layer = 0; layer < amounts.length && earner !== null; layer++) {
      const one: ModelPartner = partners[earner]!
      if ((layer === 0 || one.active) && amounts[layer]! > 0) owed.set(earner, amounts[layer]!)
      earner = one.parent
    }
    lead.owed[event] = owed
  }
}

/** Returns what a lead pays each partner now. */
export function paysNow({ owed, status }: ModelLead): Map<string, number> {
  const paid = new Map<string, number>()
  for (const [partner, amount] of owed.qualified ?? [])
    if (status !== 'rejected') paid.set(`qualified ${partner}`, amount)
  for (const [partner, amount] of owed.customer ?? []) if (status === 'won') paid.set(`customer ${partner}`, amount)
  return paid
}
