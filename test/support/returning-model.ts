/**
 * Whose the orders of returning customers are and who is paid what, a second time and as plainly as can be, from the words
 * of pages.md, rule 28, and terms.md, rules 15 to 18. Nothing of the product is imported.
 */
export type Setting = 'keep-partner' | 'latest-click'

export type ModelPartner = {
  parent: number | null
  /** Suspended or archived from and until, in milliseconds; null while it lasts. */
  pauses: { from: number; until: number | null }[]
  /** Erased, or their balance was voided. */
  gone: boolean
  erased: boolean
  group: number
}
export type ModelCustomer = {
  partner: number | null
  bought: boolean
  ownClick: string | null
  hasLead: boolean
  erased: boolean
}
export type ModelOrder = {
  name: string
  customer: number
  at: number
  day: string
  net: number
  way: 'provider' | 'push' | 'import'
  click: { id: string; partner: number; at: number; day: string; days: number } | null
  code: number | null
  coupon: number | null
  /** The partner whom a file names. */
  stated: number | null
  /** The referrer's commission in a file. */
  given: number | null
  subscription: string | null
}
/**
 * A booked order. `partner` earns from it: as the customer's partner, by this order alone, or as the subscription's.
 * `line` has the partners above them when it was booked. `isLost`: its import was undone, or its lead is gone.
 */
export type ModelSale = ModelOrder & {
  partner: number | null
  whose: 'customers' | 'order' | 'renewal'
  names: number[]
  line: { partner: number; earns: boolean }[]
  rates: number[]
  lost: number
  isVoid: boolean
  isLost: boolean
}
export type ModelWorld = {
  setting: Setting
  order: 'click-first' | 'code-first'
  /** The rates of each group, and the sales with which a partner is moved to the last one. */
  groups: number[][]
  goal: number
  recurringMonths: number | null
  partners: ModelPartner[]
  customers: ModelCustomer[]
  sales: ModelSale[]
}

const DAY_MS = 86_400_000

export const isActive = ({ partners }: ModelWorld, partner: number, at?: number) =>
  !partners[partner]!.gone &&
  partners[partner]!.pauses.every(({ from, until }) => until !== null && (at === undefined || at < from || at >= until))

/** Books an order by what is known when it is told. */
export function bookOrder(world: ModelWorld, order: ModelOrder): ModelSale {
  const customer = world.customers[order.customer]!
  const decide = order.way === 'import' ? statedBy : whose
  const found = decide(world, customer, order)
  const sale = { ...order, ...found, ...termsOf(world, found.partner), lost: 0, isVoid: false, isLost: false }
  Object.assign(customer, { bought: true, hasLead: true })
  world.sales.push(sale)
  return sale
}

const termsOf = (world: ModelWorld, partner: number | null) => ({
  line: partner === null ? [] : lineOf(world, partner),
  rates: partner === null ? [] : world.groups[world.partners[partner]!.group]!,
})

/** Returns the line of partners: the referrer earns unless gone, those above them while active. */
function lineOf(world: ModelWorld, partner: number) {
  const line = [{ partner, earns: !world.partners[partner]!.gone }]
  let above = world.partners[partner]!.parent
  while (above !== null) {
    line.push({ partner: above, earns: isActive(world, above) })
    above = world.partners[above]!.parent
  }
  return line
}

type Whose = Pick<ModelSale, 'partner' | 'whose' | 'names'>

function whose(world: ModelWorld, customer: ModelCustomer, order: ModelOrder): Whose {
  const { click, code, coupon } = order
  const inWindow = click && order.at - click.at < click.days * DAY_MS ? click : null
  const isOwnClick = inWindow !== null && inWindow.id === customer.ownClick
  // of a returning customer, a partner who earns nothing more gets no order
  const isMissed = inWindow !== null && customer.bought && world.partners[inWindow.partner]!.gone
  const clicks = inWindow && !isOwnClick && !isMissed ? [inWindow.partner] : []
  const own = isOwnClick && customer.partner !== null ? [customer.partner] : []
  const codes = code !== null && isActive(world, code, order.at) ? [code] : []
  const coupons = coupon !== null && isActive(world, coupon, order.at) ? [coupon] : []
  const [named] =
    world.order === 'code-first' ? [...coupons, ...clicks, ...own, ...codes] : [...clicks, ...own, ...codes, ...coupons]
  const all = [isOwnClick ? customer.partner : (inWindow?.partner ?? null), code, coupon]
  const passed = all.filter((one): one is number => one !== null)
  const kept = (partner: number | null): Whose => ({
    ...{ partner, whose: 'customers', names: [...passed, ...(partner === null ? [] : [partner])] },
  })

  // the first order gives the customer the partner it names, if they have none
  if (!customer.bought && customer.partner === null && named !== undefined) {
    customer.partner = named
    if (clicks[0] === named) customer.ownClick = inWindow!.id
    return kept(named)
  }
  // so does a pushed referral code for a customer without a partner, also later
  const isLatest = world.setting === 'latest-click'
  let asks = isLatest ? named : undefined
  const takesCoupon = isLatest && world.order === 'code-first' && coupons.length > 0
  if (order.way === 'push' && customer.partner === null && codes.length > 0 && !takesCoupon) {
    customer.partner = codes[0]!
    asks = isLatest ? codes[0] : undefined
  }

  const first = firstOf(world, order)
  const isNew = first !== undefined && clicks[0] === named && inWindow !== null && inWindow.day > first.day
  const knows = first && [...first.names, ...(first.partner === null ? [] : [first.partner])]
  const repeats = asks !== undefined && knows?.includes(asks) === true && !(isNew && asks !== customer.partner)
  if (asks !== undefined && !repeats) {
    if (asks === customer.partner) return kept(asks)
    return { partner: asks, whose: 'order', names: [...passed, asks] }
  }
  if (first && first.whose !== 'customers' && first.partner !== customer.partner)
    return { partner: first.partner, whose: 'renewal', names: [...passed, first.partner!] }
  return kept(customer.partner)
}

/** Why a row of a file is refused. */
export function rowRefused(world: ModelWorld, order: ModelOrder): 'of-another' | 'inactive' | null {
  const { partner, hasLead, bought } = world.customers[order.customer]!
  const { stated, at } = order
  if (stated === null || !hasLead || partner === stated) return null
  if (partner === null) return isActive(world, stated) ? null : 'inactive'
  const earns = isActive(world, stated) && isActive(world, stated, at)
  return world.setting === 'latest-click' && bought && earns ? null : 'of-another'
}

/** Whose a row of a file is: the partner's whom it names; a customer without a partner becomes theirs. */
function statedBy(world: ModelWorld, customer: ModelCustomer, order: ModelOrder): Whose {
  const { stated } = order
  const first = firstOf(world, order)
  const isFollowed = first && first.whose !== 'customers' && first.partner !== customer.partner
  if (stated === null) {
    const partner = isFollowed ? first.partner : customer.partner
    return { partner, whose: isFollowed ? 'renewal' : 'customers', names: partner === null ? [] : [partner] }
  }
  customer.partner ??= stated
  if (customer.partner === stated) return { partner: stated, whose: 'customers', names: [stated] }
  const isRenewal = isFollowed && first.partner === stated
  return { partner: stated, whose: isRenewal ? 'renewal' : 'order', names: [stated] }
}

/** Credits a sale without a partner to the one whom a person names. */
export function creditByHand(world: ModelWorld, sale: ModelSale, partner: number) {
  const found = statedBy(world, world.customers[sale.customer]!, { ...sale, stated: partner })
  Object.assign(sale, found, termsOf(world, partner), { names: [...sale.names, partner] })
}

/** The lead of a customer, or its partner, that an import made beside a sale. */
export type MadeOfCustomer = { customer: number; partner: number | null; isNew: boolean }

/** Undoes an import; what another valid sale depends on stays, all of it. Returns whether nothing did. */
export function undoRows(world: ModelWorld, imported: ModelSale[], made: MadeOfCustomer[]) {
  for (const sale of imported) Object.assign(sale, { isVoid: true, isLost: true })
  const isNeeded = ({ customer, partner, isNew }: MadeOfCustomer) =>
    world.sales.some(
      (sale) =>
        sale.customer === customer &&
        !sale.isVoid &&
        (isNew || (sale.partner === partner && world.customers[customer]!.partner === partner)),
    )
  if (made.some(isNeeded)) return false
  for (const { customer, partner, isNew } of made) {
    const known = world.customers[customer]!
    if (isNew) {
      for (const sale of world.sales) if (sale.customer === customer) sale.isLost = true
      Object.assign(known, { partner: null, bought: false, ownClick: null, hasLead: false })
    } else if (known.partner === partner) known.partner = null
  }
  return true
}

/** Returns the sales of a partner's own referrals until this day, as goals count them, and what is left of them. */
export function countFigures({ sales }: ModelWorld, partner: number, until: string) {
  const own = sales.filter((sale) => sale.partner === partner && !sale.isVoid && sale.day <= until)
  const revenue = own.reduce((sum, { net, lost }) => sum + net - lost, 0)
  return { sales: own.length, revenue, left: own.filter(({ net, lost }) => lost < net).length }
}

/** Moves the partners who have reached the goal by the end of this day. */
export function moveByGoals(world: ModelWorld, until: string) {
  for (const [place, partner] of world.partners.entries()) {
    const { sales, left } = countFigures(world, place, until)
    if (isActive(world, place) && partner.group === 0 && Math.min(sales, left) >= world.goal)
      partner.group = world.groups.length - 1
  }
}

const firstOf = ({ sales }: ModelWorld, { name, customer, subscription, day }: ModelOrder) =>
  sales
    .filter((sale) => subscription !== null && sale.subscription === subscription && sale.customer === customer)
    .filter((sale) => !sale.isVoid && sale.day <= day && sale.name !== name)
    .sort((a, b) => (a.day < b.day || (a.day === b.day && a.name < b.name) ? -1 : 1))[0]

const halfUp = (a: number, n: number, d: number) => Math.floor((2 * a * n + d) / (2 * d))

function monthsAfter(day: string, months: number) {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

/** Whether the recurring limit ends what a sale earns: never an order that another partner's click or code brought. */
function isPast({ sales, recurringMonths }: ModelWorld, { subscription, way, whose: kind, day, given }: ModelSale) {
  if (subscription === null || recurringMonths === null || kind === 'order' || given !== null) return false
  // a file names no shop
  const isOne = (one: ModelSale) => one.way === way || one.way === 'import' || way === 'import'
  const counting = sales.filter(
    (one) => one.subscription === subscription && isOne(one) && !one.isVoid && one.partner !== null,
  )
  const first = counting.map((one) => one.day).sort()[0]
  return first !== undefined && day > monthsAfter(first, recurringMonths)
}

/** Returns what each partner has by now. */
export function earnedBy(world: ModelWorld): number[] {
  const earned = world.partners.map(() => 0)
  for (const sale of world.sales) {
    if (sale.isVoid || isPast(world, sale)) continue
    for (const [layer, { partner, earns }] of sale.line.entries()) {
      const rate = sale.rates[layer]
      const isEarned = sale.given === null ? rate !== undefined : layer === 0
      if (!isEarned || !earns) continue
      const all = sale.given ?? halfUp(sale.net, rate!, 100)
      earned[partner]! += all - halfUp(all, sale.lost, sale.net)
    }
  }
  return earned
}
