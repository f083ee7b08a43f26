/**
 * Whose a payment is, said a second time and as plainly as can be, from the words of api.md, section 8, and product.md,
 * sections 1 and 2. Nothing of the product is imported.
 */
export type Model = 'last-touch' | 'first-touch'

export type World = {
  model: Model
  partners: { earns: boolean; codes: string[]; promotionCodes: string[] }[]
  blueprints: { days: number; model: Model | null }[]
  /** `blueprint` null: it was deleted, or the click is of none. */
  clicks: { partner: number; blueprint: number | null; daysAgo: number; isBot: boolean }[]
  /** In the order in which they came. */
  leads: {
    partner: number | null
    email: string | null
    externalId: string | null
    status: 'new' | 'qualified' | 'won' | 'lost' | 'rejected' | 'expired' | 'duplicate'
    /** Of a duplicate: the lead it is one of. */
    first: number | null
    isProtected: boolean
    bought: boolean
    click: number | null
  }[]
  customers: { id: string; lead: number }[]
}

/** A value somebody passed along: of the world by its place, or a text that means nothing. */
export type Value = { click: number } | { lead: number } | { code: string } | { nothing: 'id' | 'text' }

export type Paid = { values: Value[]; customer: string | null; promotionCodes: string[]; email: string | null }

export type Rule = 'click' | 'lead-id' | 'code' | 'customer' | 'external-id' | 'coupon' | 'email'
export type Answer = {
  rule: Rule | null
  /** The lead it is of; or the partner whom a lead is made for. */
  lead: number | null
  partner: number | null
  /** Why each rule before did not find it. */
  why: string[]
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export function whose(world: World, paid: Paid): Answer {
  const { partners, blueprints, clicks, leads } = world
  const why: string[] = []
  const matched = (rule: Rule, lead: number | null, partner: number | null): Answer => ({ rule, lead, partner, why })

  // the payer as they are known: by the provider's customer, by an external id, by an e-mail that still holds
  const customer = world.customers.find(({ id }) => id === paid.customer)?.lead
  const external = leads.findIndex(({ externalId }) => externalId !== null && externalId === paid.customer)
  const byMail = leads
    .map((lead, place) => ({ ...lead, place }))
    .filter(({ email }) => email !== null && paid.email !== null && same(email, paid.email.trim()))
    .filter(({ status }) => ['new', 'qualified', 'won', 'lost'].includes(status))
    .filter(({ bought, isProtected }) => bought || isProtected)
  const mailed = byMail.find(({ bought }) => bought) ?? byMail[0]
  const payer =
    customer !== undefined
      ? { rule: 'customer', lead: customer }
      : external >= 0
        ? { rule: 'external-id', lead: leads[external]!.first ?? external }
        : mailed
          ? { rule: 'email', lead: mailed.place }
          : null

  /** A partner is named: theirs, unless the payer's lead stays as it is, and why. */
  function named(rule: Rule, partner: number, model: Model): Answer | undefined {
    const known = payer && leads[payer.lead]!
    if (!known) return matched(rule, null, partner)
    if (known.partner === partner) return matched(rule, payer.lead, null)
    if (known.partner === null) {
      // a lead nobody referred gets its first partner, unless its sales bind it as it is or it is a provider's customer
      if (payer.rule === 'email' && !known.bought) return matched(rule, null, partner)
      why.push(`${rule} customer-without-partner`)
    } else if (known.bought) why.push(`${rule} bought-before`)
    else if (model === 'first-touch') why.push(`${rule} first-touch`)
    else return matched(rule, null, partner)
    return undefined
  }

  const placed = paid.values.flatMap((value) => ('click' in value ? [value.click] : []))
  const counted = placed.filter((place) => !clicks[place]!.isBot)
  const longest = Math.max(...blueprints.map(({ days }) => days))
  const inTime = counted.find((place) => {
    const { daysAgo, blueprint } = clicks[place]!
    return daysAgo < (blueprint === null ? longest : blueprints[blueprint]!.days)
  })
  const strayIds =
    counted.length < placed.length || paid.values.some((value) => 'nothing' in value && value.nothing === 'id')
  if (inTime !== undefined) {
    const { partner, blueprint } = clicks[inTime]!
    const own = leads.findIndex(({ click, status }) => click === inTime && status !== 'duplicate')
    if (own >= 0) return matched('click', own, null)
    const model = (blueprint === null ? null : blueprints[blueprint]!.model) ?? world.model
    const answer = named('click', partner, model)
    if (answer) return answer
  } else why.push(`click ${counted.length > 0 ? 'expired' : strayIds ? 'unknown' : 'absent'}`)

  const [lead] = paid.values.flatMap((value) => ('lead' in value ? [value.lead] : []))
  if (lead !== undefined) return matched('lead-id', leads[lead]!.first ?? lead, null)
  why.push(`lead-id ${strayIds ? 'unknown' : 'absent'}`)

  const codes = paid.values.flatMap((value) => ('code' in value ? [value.code] : []))
  const owners = codes.map((code) => partners.findIndex((partner) => partner.codes.some((one) => same(one, code))))
  const coded = owners.find((owner) => owner >= 0 && partners[owner]!.earns)
  const strayText =
    owners.some((owner) => owner < 0) || paid.values.some((value) => 'nothing' in value && value.nothing === 'text')
  if (coded !== undefined) {
    const answer = named('code', coded, world.model)
    if (answer) return answer
  } else why.push(`code ${owners.some((owner) => owner >= 0) ? 'inactive' : strayText ? 'unknown' : 'absent'}`)

  for (const rule of ['customer', 'external-id'] as const) {
    if (payer?.rule === rule) return matched(rule, payer.lead, null)
    why.push(`${rule} ${paid.customer === null ? 'absent' : 'unknown'}`)
  }

  const holders = paid.promotionCodes.map((code) =>
    partners.findIndex((partner) => partner.promotionCodes.some((one) => same(one, code))),
  )
  const bound = holders.find((holder) => holder >= 0 && partners[holder]!.earns)
  if (bound !== undefined) {
    const answer = named('coupon', bound, world.model)
    if (answer) return answer
  } else
    why.push(
      `coupon ${holders.some((holder) => holder >= 0) ? 'inactive' : paid.promotionCodes.length > 0 ? 'unknown' : 'absent'}`,
    )

  if (payer) return matched('email', payer.lead, null)
  why.push(`email ${paid.email === null ? 'absent' : 'unknown'}`)
  return { rule: null, lead: null, partner: null, why }
}
