/**
 * The attribution of a payment, a second time and as plainly as can be, from the words of api.md, section 8, and
 * product.md, sections 1 and 2. Nothing of the product is imported.
 */
export type Model = 'last-touch' | 'first-touch'

export type World = {
  model: Model
  /**
   * `pausedThen`: suspended or archived at the time of payment, though perhaps not now. `later`: a code assigned after
   * it.
   */
  partners: {
    earns: boolean
    pausedThen: boolean
    codes: string[]
    promotionCodes: { code: string; later: boolean }[]
  }[]
  blueprints: { days: number; model: Model | null }[]
  /** `blueprint` null: it was deleted, or the click has none. */
  clicks: { partner: number; blueprint: number | null; daysAgo: number; isBot: boolean }[]
  /** In the order of their creation. */
  leads: {
    partner: number | null
    /** Its partner referred it after the payment. */
    later: boolean
    email: string | null
    externalId: string | null
    status: 'new' | 'qualified' | 'won' | 'lost' | 'rejected' | 'expired' | 'duplicate'
    /** The original lead of a duplicate. */
    first: number | null
    isProtected: boolean
    bought: boolean
    click: number | null
  }[]
  customers: { id: string; lead: number }[]
}

/** A value passed along with a payment: an index into the world, or an unknown text. */
export type Value = { click: number } | { lead: number } | { code: string } | { nothing: 'id' | 'text' }

export type Paid = { values: Value[]; customer: string | null; promotionCodes: string[]; email: string | null }

export type Rule = 'click' | 'lead-id' | 'code' | 'customer' | 'external-id' | 'coupon' | 'email'
export type Answer = {
  rule: Rule | null
  /** The lead of the payment; or the partner for whom a lead is created. */
  lead: number | null
  partner: number | null
  /** The reasons why each earlier rule did not match, and the later rules that name another partner. */
  why: string[]
}

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export function whose(world: World, paid: Paid): Answer {
  const { partners, blueprints, clicks, leads } = world
  let winner: { rule: Rule; lead: number | null; partner: number | null; whom: number | null } | null = null
  const noted: { rule: Rule; reason: string; whom: number | null }[] = []
  /** After the match only a rule that names another partner is noted. */
  const note = (rule: Rule, reason: string, whom: number | null = null) => {
    if (!winner || whom !== null) noted.push({ rule, reason, whom })
  }
  const match = (rule: Rule, lead: number | null, partner: number | null) => {
    const whom = lead === null ? partner : leads[lead]!.partner
    if (winner) note(rule, 'outranked', whom)
    else winner = { rule, lead, partner, whom }
  }

  // the payer by the provider's customer, by an external id, or by an e-mail that still counts; not by a lead referred
  // after the payment
  const isLate = ({ partner, status, later }: World['leads'][number]) =>
    later && partner !== null && status !== 'rejected'
  const customer = world.customers.find(({ id }) => id === paid.customer)?.lead
  const external = leads.findIndex(({ externalId }) => externalId !== null && externalId === paid.customer)
  const byMail = leads
    .map((lead, place) => ({ ...lead, place }))
    .filter(({ email }) => email !== null && paid.email !== null && same(email, paid.email.trim()))
  const holds = byMail
    .filter(({ status }) => ['new', 'qualified', 'won', 'lost'].includes(status))
    .filter(({ bought, isProtected }) => bought || isProtected)
  const first = (found: typeof byMail) => found.find(({ bought }) => bought) ?? found[0]
  const rejected = first(byMail.filter(({ status }) => status === 'rejected'))
  const mailed = first(holds.filter((lead) => !isLate(lead))) ?? rejected ?? first(holds)
  const known = {
    customer,
    'external-id': external >= 0 ? (leads[external]!.first ?? external) : undefined,
    email: mailed?.place,
  }
  const ways = ['customer', 'external-id', 'email'] as const
  const way = ways.find((one) => known[one] !== undefined && !isLate(leads[known[one]]!))
  const payer = way === undefined ? null : { rule: way, lead: known[way]! }
  /** Whether a lead referred too late is found only because its rule comes before that of the payer. */
  const tooLate = (rule: (typeof ways)[number]) =>
    known[rule] !== undefined && (way === undefined || ways.indexOf(rule) < ways.indexOf(way))

  /**
   * A rule names a partner: the payment is theirs, unless the payer's lead stays unchanged, for which a reason is
   * noted.
   */
  function named(rule: Rule, partner: number, model: Model) {
    const theirs = payer && leads[payer.lead]!
    if (!theirs) return match(rule, null, partner)
    if (theirs.partner === partner) return match(rule, payer.lead, null)
    if (winner || theirs.status === 'rejected') return match(rule, null, partner)
    if (theirs.partner === null) {
      // a lead without a partner gets its first one, unless its sales fix it as it is or it is a provider's customer
      if (payer.rule === 'email' && !theirs.bought) return match(rule, null, partner)
      return note(rule, 'customer-without-partner', partner)
    }
    if (theirs.bought) return note(rule, 'bought-before', partner)
    return model === 'first-touch' ? note(rule, 'first-touch', partner) : match(rule, null, partner)
  }

  const placed = paid.values.flatMap((value) => ('click' in value ? [value.click] : []))
  const counted = [...new Set(placed)].filter((place) => !clicks[place]!.isBot)
  const longest = Math.max(...blueprints.map(({ days }) => days))
  const [inTime, ...others] = counted.filter((place) => {
    const { daysAgo, blueprint } = clicks[place]!
    return daysAgo < (blueprint === null ? longest : blueprints[blueprint]!.days)
  })
  const strayIds =
    placed.some((place) => clicks[place]!.isBot) ||
    paid.values.some((value) => 'nothing' in value && value.nothing === 'id')
  if (inTime !== undefined) {
    const { partner, blueprint } = clicks[inTime]!
    const own = leads.findIndex(({ click, status }) => click === inTime && status !== 'duplicate')
    const model = (blueprint === null ? null : blueprints[blueprint]!.model) ?? world.model
    if (own >= 0 && (!isLate(leads[own]!) || leads[own]!.partner === partner)) match('click', own, null)
    else named('click', partner, model)
  } else note('click', counted.length > 0 ? 'expired' : strayIds ? 'unknown' : 'absent')
  for (const place of others) note('click', 'outranked', clicks[place]!.partner)

  const [lead] = paid.values.flatMap((value) => ('lead' in value ? [value.lead] : []))
  if (lead !== undefined) match('lead-id', leads[lead]!.first ?? lead, null)
  else note('lead-id', strayIds ? 'unknown' : 'absent')

  /** The owners of these codes: the first with credit for it, and the others. */
  function coded(rule: 'code' | 'coupon', owners: { place: number; later: boolean }[], stray: boolean) {
    const bound = owners.filter(({ later }) => !later)
    const [earner, ...rest] = bound.filter(({ place }) => partners[place]!.earns && !partners[place]!.pausedThen)
    if (earner) named(rule, earner.place, world.model)
    else if (bound[0]) note(rule, 'inactive', bound[0].place)
    else if (owners[0]) note(rule, 'given-later', owners[0].place)
    else note(rule, stray ? 'unknown' : 'absent')
    for (const { place } of rest) note(rule, 'outranked', place)
  }

  const texts = new Set(paid.values.flatMap((value) => ('code' in value ? [value.code] : [])))
  const owners = [...texts].flatMap((code) => {
    const place = partners.findIndex((partner) => partner.codes.some((one) => same(one, code)))
    return place < 0 ? [] : [{ place, later: false }]
  })
  const stray = texts.size > 0 || paid.values.some((value) => 'nothing' in value && value.nothing === 'text')
  coded('code', owners, stray)

  for (const rule of ['customer', 'external-id'] as const) {
    if (payer?.rule === rule) match(rule, payer.lead, null)
    else if (tooLate(rule)) note(rule, 'referred-later', leads[known[rule]!]!.partner)
    else note(rule, paid.customer === null ? 'absent' : 'unknown')
  }

  const holders = paid.promotionCodes.flatMap((code) =>
    partners.flatMap(({ promotionCodes }, place) =>
      promotionCodes.filter((one) => same(one.code, code)).map(({ later }) => ({ place, later })),
    ),
  )
  coded('coupon', holders, paid.promotionCodes.length > 0)

  if (payer?.rule === 'email') match('email', payer.lead, null)
  else if (tooLate('email')) note('email', 'referred-later', leads[known.email!]!.partner)
  else if (!payer) note('email', paid.email === null ? 'absent' : 'unknown')

  const { rule, lead: found, partner, whom } = winner ?? { rule: null, lead: null, partner: null, whom: null }
  const why = noted.filter((one) => one.reason !== 'outranked' || one.whom !== whom)
  return { rule, lead: found, partner, why: why.map((one) => `${one.rule} ${one.reason}`) }
}
