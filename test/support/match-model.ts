/**
 * The attribution of a payment, a second time and as plainly as can be, from the words of api.md, section 8, product.md,
 * sections 1 and 2, terms.md, rule 30, and pages.md, rule 28. Nothing of the product is imported.
 */
export type Model = 'last-touch' | 'first-touch'
export type Order = 'click-first' | 'code-first'

export type World = {
  model: Model
  order: Order
  returning: 'keep-partner' | 'latest-click'
  /**
   * `paused`: suspended or archived from and until so many minutes after the payment, though perhaps not now. `later`: a
   * code assigned after it.
   */
  partners: {
    earns: boolean
    paused: [from: number, until: number] | null
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

/** `told`: how many minutes after the payment it was first told here. */
export type Paid = {
  values: Value[]
  customer: string | null
  promotionCodes: string[]
  email: string | null
  told: number
}

export type Rule = 'click' | 'lead-id' | 'code' | 'customer' | 'external-id' | 'coupon' | 'email'
export type Answer = {
  rule: Rule | null
  /**
   * The lead of the payment; or the partner for whom a lead is created; both if the lead moves to that partner, or, with
   * `stays`, if the sale alone is theirs.
   */
  lead: number | null
  partner: number | null
  stays: boolean
  /** The reasons why each earlier rule did not match, and the later rules that name another partner. */
  why: string[]
}

type Winner = { rule: Rule; lead: number | null; partner: number | null; whom: number | null; stays: boolean } | null

/** A code credits its partner for no payment made, or first told here, while they were suspended or archived. */
const earnsFor = ({ earns, paused }: World['partners'][number], told: number) =>
  earns && ![0, told].some((at) => paused && paused[0] <= at && at < paused[1])

const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export function findWinner(world: World, paid: Paid): Answer {
  const { partners, blueprints, clicks, leads } = world
  let winner: Winner = null
  const noted: { rule: Rule; reason: string; whom: number | null }[] = []
  /** After the match only a rule that names another partner is noted. */
  const note = (rule: Rule, reason: string, whom: number | null = null) => {
    if (!winner || whom !== null) noted.push({ rule, reason, whom })
  }
  const match = (rule: Rule, lead: number | null, partner: number | null, stays = false) => {
    const whom = partner ?? leads[lead!]!.partner
    if (winner) note(rule, 'outranked', whom)
    else winner = { rule, lead, partner, whom, stays }
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
    // an order of a returning customer is the named partner's, and nothing else changes
    if (returning !== undefined)
      return leads[returning]!.partner === partner
        ? match(rule, returning, null)
        : match(rule, returning, partner, true)
    const theirs = payer && leads[payer.lead]!
    if (!theirs) return match(rule, null, partner)
    if (theirs.partner === partner) return match(rule, payer.lead, null)
    if (winner || theirs.status === 'rejected') return match(rule, null, partner)
    if (theirs.partner === null) {
      // a lead without a partner gets its first one, unless its sales fix it is or it is a provider's customer
      if (payer.rule === 'email' && !theirs.bought) return match(rule, null, partner)
      return note(rule, 'customer-without-partner', partner)
    }
    if (theirs.bought) return note(rule, 'bought-before', partner)
    return model === 'first-touch' ? note(rule, 'first-touch', partner) : match(rule, null, partner)
  }

  /** Before all others, a promotion code yields only to a person who has bought, however the payment names them. */
  function promoted(partner: number) {
    if (returning !== undefined) return named('coupon', partner, world.model)
    const person = open.find((place) => leads[place]!.bought) ?? open[0]
    if (person === undefined) return match('coupon', null, partner)
    const theirs = leads[person]!
    if (theirs.partner === partner) return match('coupon', person, null)
    if (!theirs.bought) return match('coupon', person, partner)
    note('coupon', theirs.partner === null ? 'customer-without-partner' : 'bought-before', partner)
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
  const made = leads.findIndex(
    ({ click, status }) => click === inTime && inTime !== undefined && status !== 'duplicate',
  )
  const own =
    made >= 0 && (!isLate(leads[made]!) || leads[made]!.partner === clicks[inTime!]!.partner) ? made : undefined
  const [lead] = paid.values.flatMap((value) => ('lead' in value ? [value.lead] : []))
  const stated = lead === undefined ? undefined : (leads[lead]!.first ?? lead)

  const people = [own, stated, payer?.lead].filter((place): place is number => place !== undefined)
  const open = people.filter((place) => leads[place]!.status !== 'rejected')
  const returning = world.returning === 'latest-click' ? open.find((place) => leads[place]!.bought) : undefined

  function byClick() {
    if (own !== undefined) match('click', own, null)
    else if (inTime !== undefined) {
      const { partner, blueprint } = clicks[inTime]!
      named('click', partner, (blueprint === null ? null : blueprints[blueprint]!.model) ?? world.model)
    } else note('click', counted.length > 0 ? 'expired' : strayIds ? 'unknown' : 'absent')
    for (const place of others) note('click', 'outranked', clicks[place]!.partner)
  }
  function byLead() {
    if (stated !== undefined) match('lead-id', stated, null)
    else note('lead-id', strayIds ? 'unknown' : 'absent')
  }

  /** The owners of these codes: the first with credit for it, and the others. */
  function coded(rule: 'code' | 'coupon', owners: { place: number; later: boolean }[], stray: boolean) {
    const bound = owners.filter(({ later }) => !later)
    const [earner, ...rest] = bound.filter(({ place }) => earnsFor(partners[place]!, paid.told))
    if (earner && rule === 'coupon' && world.order === 'code-first') promoted(earner.place)
    else if (earner) named(rule, earner.place, world.model)
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
  const byCode = () => coded('code', owners, stray)

  function byCustomer() {
    for (const rule of ['customer', 'external-id'] as const) {
      if (payer?.rule === rule) match(rule, payer.lead, null)
      else if (tooLate(rule)) note(rule, 'referred-later', leads[known[rule]!]!.partner)
      else note(rule, paid.customer === null ? 'absent' : 'unknown')
    }
  }

  const holders = paid.promotionCodes.flatMap((code) =>
    partners.flatMap(({ promotionCodes }, place) =>
      promotionCodes.filter((one) => same(one.code, code)).map(({ later }) => ({ place, later })),
    ),
  )
  const byPromotion = () => coded('coupon', holders, paid.promotionCodes.length > 0)

  function byEmail() {
    if (payer?.rule === 'email') match('email', payer.lead, null)
    else if (tooLate('email')) note('email', 'referred-later', leads[known.email!]!.partner)
    else if (!payer) note('email', paid.email === null ? 'absent' : 'unknown')
  }

  if (world.order === 'code-first') byPromotion()
  byClick()
  if (returning === undefined) byLead()
  byCode()
  if (returning !== undefined) {
    if (world.order === 'click-first') byPromotion()
    byLead()
  }
  byCustomer()
  if (returning === undefined && world.order === 'click-first') byPromotion()
  byEmail()

  const {
    rule,
    lead: found,
    partner,
    whom,
    stays,
  } = (winner as Winner) ?? { rule: null, lead: null, partner: null, whom: null, stays: false }
  const why = noted.filter((one) => one.reason !== 'outranked' || one.whom !== whom)
  return { rule, lead: found, partner, stays, why: why.map((one) => `${one.rule} ${one.reason}`) }
}

/** A sale sent by an account's own system. `code` and `promotion`: texts; null if not sent. */
export type Pushed = {
  lead: number | null
  external: string | null
  email: string | null
  code: string | null
  promotion: string | null
}
export type PushedRule = 'lead-id' | 'external-id' | 'email' | 'code' | 'coupon'
/** `partner`: the credited one. Null: the row is refused. */
export type PushedAnswer = { rule: PushedRule | null; partner: number | null; why: string[] } | null

const OPEN = ['new', 'qualified', 'won', 'lost']

/** The attribution of a pushed sale: a known lead with a partner, the referral code, the promotion code. */
export function whosePushed(world: World, pushed: Pushed): PushedAnswer {
  const { partners, leads } = world
  const codeFirst = world.order === 'code-first'
  const isLate = ({ partner, status, later }: World['leads'][number]) =>
    later && partner !== null && status !== 'rejected'

  const ways = { 'lead-id': pushed.lead, 'external-id': pushed.external, email: pushed.email }
  const found = leads
    .flatMap((lead, place) => [
      ...(pushed.lead === place ? [{ rule: 'lead-id' as const, rank: 1, late: false, place, lead }] : []),
      ...(pushed.external !== null && lead.externalId === pushed.external
        ? [{ rule: 'external-id' as const, rank: 2, late: isLate(lead), place, lead }]
        : []),
      ...(pushed.email !== null &&
      lead.email !== null &&
      same(lead.email, pushed.email.trim()) &&
      (lead.status === 'rejected'
        ? pushed.code === null
        : OPEN.includes(lead.status) && (lead.bought || lead.isProtected))
        ? [{ rule: 'email' as const, rank: 3, late: isLate(lead), place, lead }]
        : []),
    ])
    .sort(
      (a, b) =>
        Number(a.late) - Number(b.late) ||
        a.rank - b.rank ||
        Number(a.lead.status === 'rejected') - Number(b.lead.status === 'rejected') ||
        Number(b.lead.bought) - Number(a.lead.bought) ||
        a.place - b.place,
    )[0]
  const known = found && !found.late ? found : undefined
  const late = found?.late ? found : undefined
  const isRejected = known?.lead.status === 'rejected'

  const earns = (place: number) => earnsFor(partners[place]!, 0)
  const coded = partners.findIndex(({ codes }) => codes.some((one) => pushed.code !== null && same(one, pushed.code)))
  const bound = partners
    .flatMap(({ promotionCodes }, place) => promotionCodes.map((one) => ({ ...one, place })))
    .find(({ code }) => pushed.promotion !== null && same(code, pushed.promotion))
  const theirs = known && !isRejected ? known.lead : undefined
  // in either order, a promotion code gets no customer who bought without a partner
  const kept =
    bound && theirs?.bought && theirs.partner !== bound.place && (codeFirst || theirs.partner === null)
      ? theirs.partner === null
        ? 'customer-without-partner'
        : 'bought-before'
      : null
  const earnsCode = coded >= 0 && earns(coded)
  const earnsCoupon = bound !== undefined && !bound.later && earns(bound.place)
  const first: PushedRule | null = earnsCoupon && (codeFirst || !earnsCode) ? 'coupon' : earnsCode ? 'code' : null
  // without a partner, a customer gets their first one from a referral code, as ever
  const isReturning =
    world.returning === 'latest-click' && theirs?.bought === true && (theirs.partner !== null || first === 'coupon')
  const missed = bound && (bound.later ? 'given-later' : !earns(bound.place) ? 'inactive' : isReturning ? null : kept)
  const promotes = bound !== undefined && missed === null

  const noted: Record<PushedRule, { reason: string; whom: number | null } | null> = {
    'lead-id': null,
    'external-id': null,
    email: null,
    code:
      pushed.code === null
        ? { reason: 'absent', whom: null }
        : coded < 0
          ? { reason: 'unknown', whom: null }
          : { reason: earns(coded) ? 'outranked' : 'inactive', whom: coded },
    coupon: !bound
      ? { reason: pushed.promotion === null ? 'absent' : 'unknown', whom: null }
      : { reason: missed ?? 'outranked', whom: bound.place },
  }
  const payers = ['lead-id', 'external-id', 'email'] as const
  for (const rule of payers) {
    if (late?.rule === rule) noted[rule] = { reason: 'referred-later', whom: late.lead.partner }
    else if (known?.rule === rule) {
      if (isRejected) noted[rule] = { reason: 'rejected', whom: null }
      else if (known.lead.partner !== null) noted[rule] = { reason: 'outranked', whom: known.lead.partner }
    } else if (!known || payers.indexOf(rule) < payers.indexOf(known.rule))
      noted[rule] = { reason: ways[rule] === null ? 'absent' : 'unknown', whom: null }
  }
  const order: PushedRule[] = isReturning
    ? [...(codeFirst ? (['coupon', 'code'] as const) : (['code', 'coupon'] as const)), ...payers]
    : codeFirst
      ? ['coupon', ...payers, 'code']
      : [...payers, 'code', 'coupon']
  const answer = (rule: PushedRule | null, credited: number | null): PushedAnswer => {
    const at = rule ? order.indexOf(rule) : order.length
    const why = order.flatMap((one, place) => {
      const note = noted[one]
      if (!note || one === rule) return []
      if (place < at) return [`${one} ${note.reason}`]
      const counts = note.whom === null ? credited === null && note.reason !== 'absent' : note.whom !== credited
      return counts ? [`${one} ${note.reason}`] : []
    })
    return { rule, partner: credited, why }
  }
  const rejected = (of: PushedAnswer, rule: PushedRule): PushedAnswer =>
    of && { rule: null, partner: null, why: [...of.why, `${rule} rejected`] }
  const stays = () => {
    const { rule, lead } = known!
    return isRejected ? rejected(answer(rule, lead.partner), rule) : answer(rule, lead.partner)
  }
  const isOpen = (status: string) => ['new', 'qualified', 'lost'].includes(status)
  const person = leads.filter(
    ({ email, status }) =>
      status !== 'duplicate' && email !== null && pushed.email !== null && same(email, pushed.email.trim()),
  )
  const holder = person.find(
    ({ status, isProtected, bought }) => bought || status === 'won' || (isOpen(status) && isProtected),
  )
  /**
   * The partner's new lead, unless this person is known as a lead that the partner shares and that earns nothing:
   * rejected, or an expired customer without a partner.
   */
  const made = (rule: PushedRule, partner: number): PushedAnswer => {
    const shared = (lead: World['leads'][number]) => lead.partner === null || lead.partner === partner
    const lead = holder ?? person.find((one) => one.status === 'rejected' && shared(one))
    // found by the external id: it is the partner's own
    const own = late?.rule === 'external-id' && late.lead.partner === partner
    const answered = answer(rule, partner)
    if (own || !answered || !lead || !shared(lead)) return answered
    if (lead.status === 'rejected') return rejected(answered, rule)
    return lead.partner === null && lead.bought ? { ...answered, partner: null } : answered
  }
  const promoted = () => (theirs ? answer('coupon', bound!.place) : made('coupon', bound!.place))

  if (isReturning) return first ? answer(first, first === 'code' ? coded : bound!.place) : stays()
  if (promotes && codeFirst) return promoted()
  if (known && !isRejected && known.lead.partner !== null) return stays()
  if (isRejected && !(promotes && known!.rule === 'email')) return stays()
  if (coded >= 0 && earns(coded)) return theirs ? answer('code', coded) : made('code', coded)
  if (promotes && (pushed.code === null || coded >= 0)) return promoted()
  if (pushed.code !== null && coded < 0) return null
  if (known) return stays()
  if (late) return answer(null, null)
  if (pushed.code === null) return null
  // an expired customer stays with their partner
  return { ...answer(null, null)!, partner: holder && holder.status !== 'rejected' ? holder.partner : null }
}
