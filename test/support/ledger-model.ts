/**
 * The money rules of product.md, sections 3 and 4, a second time and as plainly as can be: facts are stored as they
 * came, and every result is computed from all of them. Nothing of the product is imported, so that a mistake there is
 * not repeated here. Amounts are bigint minor units, instants milliseconds, rates percent as people write them.
 */
export type Book = {
  currency: string
  /** Decimal places of each currency in use. */
  decimals: Record<string, number>
  payoutDelay: number
  /** The account's offset from UTC in hours; its zone has no daylight saving time. */
  utcOffset: number
  selfReferrals: 'allow' | 'flag' | 'hold' | 'refuse'
  /** Months in which a subscription earns, from its first credited payment; null: without end. */
  recurringMonths: number | null
  /** Every version of what an account, its group, its link and its partners pay, the oldest first. */
  versions: Version[]
  /** Every move of a partner into the group or out of it, the oldest first. */
  moves: Move[]
  partners: { parent: number | null; active: boolean }[]
  /** `emailOf`: the lead has this partner's e-mail. `referredAt`: since when its partner is its own. */
  leads: { partner: number | null; blueprint: boolean; emailOf: number | null; referredAt: number }[]
  sales: Sale[]
  /** The ledger's entries, in the order in which they came. */
  pieces: Piece[]
  payouts: Payout[]
  exchangeRates: { currency: string; date: string; rate: string }[]
}

type Touching = { reach: 'all-sales' | 'new-customers'; at: number }
/** `of` is a partner's number, the group, the link or the account; null takes their own rates away. */
export type Version = Touching & { of: number | 'group' | 'link' | 'account'; rates: string[] | null }
export type Move = Touching & { partner: number; into: boolean }

export type Sale = {
  key: string | null
  lead: number | null
  partner: number | null
  /** Since when its customer was its partner's. */
  referredAt: number
  blueprint: boolean
  net: bigint
  gross: bigint
  currency: string
  date: string
  subscription: string | null
  /** Net in the account's currency; null while there is no exchange rate. */
  base: bigint | null
  refused: boolean
  /** The rates and the partners on the day of its credit, of which ended ones earn nothing; null until then. */
  agreed: { rates: string[]; line: { partner: number; earns: boolean }[] } | null
  /** The commission credited for it; null while no partner could be. */
  plan: Pick<Piece, 'partner' | 'layer' | 'amount'>[] | null
  pastLimit: boolean
  heldUntil: number
  void: boolean
  reports: Report[]
}

export type Report = { id: string; kind: 'refund' | 'dispute'; amount: bigint; status: ReportStatus }
export type ReportStatus = 'pending' | 'succeeded' | 'failed' | 'canceled'

type Piece = {
  partner: number
  /** Null: an adjustment. */
  sale: Sale | null
  layer: number
  amount: bigint
  earned: boolean
  dueAt: number
  /** It corrects an entry of an approved payout. */
  clawback: boolean
  payout: Payout | null
}

export type Payout = {
  partner: number
  state: 'gathering' | 'approved' | 'processing' | 'sent' | 'paid' | 'returned' | 'canceled'
  sentAt: number
}

/** A call's result: `done`, or the code of its refusal. */
export type Outcome = 'done' | 'not_found' | 'invalid_state' | 'validation_failed' | 'payout_blocked'

const DAY = 86_400_000

const halfUp = (amount: bigint, numerator: bigint, denominator: bigint) =>
  (2n * amount * numerator + denominator) / (2n * denominator)

/** '7.5' -> [75, 10]. */
function fraction(decimal: string): [bigint, bigint] {
  const [whole = '0', digits = ''] = decimal.split('.')
  return [BigInt(whole + digits), 10n ** BigInt(digits.length)]
}

export const dayToday = (book: Book, now: number) =>
  new Date(now + book.utcOffset * 3_600_000).toISOString().slice(0, 10)
export const daysAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10)
/** Returns the same day of a later month, or that month's last day. */
function monthsAfter(date: string, months: number) {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10)
}
const dueAt = (book: Book, date: string) => Date.parse(date) + book.payoutDelay * DAY - book.utcOffset * 3_600_000

// --- sales

export function recordSale(
  book: Book,
  now: number,
  facts: Pick<Sale, 'key' | 'lead' | 'net' | 'gross' | 'currency' | 'date' | 'subscription'>,
): Sale {
  const known = book.sales.find((sale) => sale.key !== null && sale.key === facts.key)
  if (known) return known
  const lead = facts.lead === null ? null : book.leads[facts.lead]!
  const sale: Sale = {
    ...facts,
    partner: lead?.partner ?? null,
    referredAt: lead?.referredAt ?? now,
    blueprint: lead?.blueprint ?? false,
    base: inAccountCurrency(book, facts),
    refused: false,
    agreed: null,
    plan: null,
    pastLimit: false,
    heldUntil: 0,
    void: false,
    reports: [],
  }
  book.sales.push(sale)
  judge(book, now, sale)
  earn(book, now, sale)
  return sale
}

/** Applies the policy on self-referrals once the sale's partner is known, however late. */
function judge(book: Book, now: number, sale: Sale) {
  if (sale.void || sale.partner === null || book.leads[sale.lead!]!.emailOf !== sale.partner) return
  if (book.selfReferrals === 'refuse') sale.refused = true
  if (book.selfReferrals === 'hold') sale.heldUntil = now + 30 * DAY
}

function inAccountCurrency(book: Book, { net, currency, date }: Pick<Sale, 'net' | 'currency' | 'date'>) {
  if (currency === book.currency) return net
  const near = book.exchangeRates
    .filter((rate) => rate.currency === currency && rate.date <= date && rate.date >= daysAfter(date, -7))
    .sort((a, b) => (a.date < b.date ? 1 : -1))[0]
  if (!near) return null
  const [up, down] = fraction(near.rate)
  const to = 10n ** BigInt(book.decimals[book.currency]!)
  const from = 10n ** BigInt(book.decimals[currency]!)
  return halfUp(net, up * to, down * from)
}

const newestFor = <T extends Touching>(sale: Sale, rows: T[]) =>
  rows.filter((one) => one.reach === 'all-sales' || one.at <= sale.referredAt).at(-1)

/** Returns the rates of the partner, else of the group, the link, or the account, each by its last version for the customer. */
function ratesOf(book: Book, sale: Sale): string[] {
  const moves = book.moves.filter(({ partner }) => partner === sale.partner)
  const subjects: Version['of'][] = [
    sale.partner!,
    ...(newestFor(sale, moves)?.into ? ['group' as const] : []),
    ...(sale.blueprint ? ['link' as const] : []),
    'account',
  ]
  for (const of of subjects) {
    const own = book.versions.filter((one) => one.of === of)
    const rates = newestFor(sale, own)?.rates
    if (rates) return rates
  }
  throw new Error('an account always has rates')
}

/** Books the commission of sales that are credited together; those without a known worth keep what was agreed until then. */
function earn(book: Book, now: number, ...sales: Sale[]) {
  for (const sale of sales) if (sale.partner !== null && !sale.void) sale.agreed ??= agreementOf(book, sale)
  const earning = sales.filter((sale) => sale.partner !== null && sale.base && !sale.void)
  for (const sale of earning) sale.plan = planOf(sale)
  for (const sale of earning) updateLimit(book, now, sale, earning)
  for (const sale of earning) pay(book, now, sale)
}

function agreementOf(book: Book, sale: Sale): NonNullable<Sale['agreed']> {
  const line = []
  for (let one = sale.partner; one !== null; one = book.partners[one]!.parent)
    line.push({ partner: one, earns: line.length === 0 || book.partners[one]!.active })
  return { rates: ratesOf(book, sale), line }
}

function planOf({ base, agreed }: Sale) {
  const plan: NonNullable<Sale['plan']> = []
  let left = base!
  for (const [layer, { partner, earns }] of agreed!.line.entries()) {
    const rate = agreed!.rates[layer]
    if (rate === undefined) break
    const [percent, scale] = fraction(rate)
    const share = halfUp(base!, percent, 100n * scale)
    const amount = share < left ? share : left
    if (amount > 0n && earns) {
      left -= amount
      plan.push({ partner, layer, amount })
    }
  }
  return plan
}

function pay(book: Book, now: number, sale: Sale) {
  const isPaid = book.pieces.some((piece) => piece.sale === sale)
  if (!isPaid && !sale.refused && !sale.pastLimit)
    for (const planned of sale.plan ?? []) {
      const piece = { ...planned, sale, earned: true, clawback: false, payout: null }
      book.pieces.push({ ...piece, dueAt: dueAt(book, sale.date) })
    }
  settle(book, now, sale)
}

/** Updates which payments of the sale's subscription are past the limit; those being booked are paid afterwards. */
function updateLimit(book: Book, now: number, sale: Sale, booked: Sale[]) {
  if (book.recurringMonths === null || sale.subscription === null) return
  const payments = book.sales.filter(
    (one) => one.subscription === sale.subscription && one.plan !== null && !one.void && !one.refused,
  )
  const first = payments.map(({ date }) => date).sort()[0]
  for (const payment of payments) {
    const past = payment.date > monthsAfter(first!, book.recurringMonths)
    if (past === payment.pastLimit) continue
    payment.pastLimit = past
    if (!booked.includes(payment)) pay(book, now, payment)
  }
}

// --- refunds and disputes

export function reportSale(book: Book, now: number, sale: Sale, told: Report) {
  sale.reports.push(told)
  settle(book, now, sale)
}

/** Returns the final state of each refund and dispute. */
function outcomes(sale: Sale): Report[] {
  const byId = Map.groupBy(sale.reports, ({ kind, id }) => `${kind} ${id}`)
  return [...byId.values()].map((reports) => {
    const [first] = reports
    const statuses = reports.map(({ status }) => status)
    const closed = statuses.find((status) => status !== 'pending')
    const failed = statuses.find((status) => status === 'failed' || status === 'canceled')
    // a canceled dispute may be back, a decided one is over
    const decided = statuses.find((status) => status === 'succeeded' || status === 'failed')
    const status = first!.kind === 'dispute' ? (decided ?? statuses.at(-1)!) : (failed ?? closed ?? 'pending')
    return { ...first!, status }
  })
}

const isOpenDispute = ({ kind, status }: Report) => kind === 'dispute' && status === 'pending'
const isLostDispute = ({ kind, status }: Report) => kind === 'dispute' && status === 'succeeded'
const isRefund = ({ kind, status }: Report) => kind === 'refund' && (status === 'pending' || status === 'succeeded')

/** Gross, in the sale's currency. */
export function lostAmount(sale: Sale): bigint {
  const sum = outcomes(sale)
    .filter((one) => isRefund(one) || isLostDispute(one))
    .reduce((all, { amount }) => all + amount, 0n)
  return sum < sale.gross ? sum : sale.gross
}

const lostShare = (sale: Sale, amount: bigint) => {
  const gone = sale.void ? sale.gross : lostAmount(sale)
  return gone === 0n ? 0n : halfUp(amount, gone, sale.gross)
}

/** Returns the rest of an earned amount. */
const restOfAmount = (sale: Sale, amount: bigint) => (sale.pastLimit ? 0n : amount - lostShare(sale, amount))

export function saleStatus(sale: Sale): string {
  const all = outcomes(sale)
  if (sale.void) return 'void'
  if (all.some(isLostDispute)) return 'charged-back'
  if (all.some(isOpenDispute)) return 'disputed'
  const gone = lostAmount(sale)
  if (gone === 0n) return 'completed'
  return gone === sale.gross ? 'refunded' : 'partially-refunded'
}

export const isDisputed = (sale: Sale) => outcomes(sale).some(isOpenDispute)

/** Reduces every earned piece by its part of the sale's losses. */
function settle(book: Book, now: number, sale: Sale) {
  for (const earned of book.pieces.filter((piece) => piece.sale === sale && piece.earned)) {
    const keeps = restOfAmount(sale, earned.amount)
    const has = book.pieces
      .filter((piece) => piece.sale === sale && piece.layer === earned.layer)
      .reduce((sum, piece) => sum + piece.amount, 0n)
    if (keeps === has) continue
    const clawback = earned.payout !== null
    const amount = keeps - has
    book.pieces.push({ ...earned, amount, earned: false, clawback, payout: null, dueAt: clawback ? now : earned.dueAt })
  }
}

export function refundByHand(
  book: Book,
  now: number,
  sale: Sale,
  { id, amount, fromProvider }: { id: string; amount: bigint | null; fromProvider: boolean },
): Outcome {
  const left = sale.gross - lostAmount(sale)
  if (fromProvider || sale.void || left === 0n) return 'invalid_state'
  if (amount !== null && amount > left) return 'validation_failed'
  reportSale(book, now, sale, { id, kind: 'refund', amount: amount ?? left, status: 'succeeded' })
  return 'done'
}

export function voidSale(book: Book, now: number, sale: Sale): Outcome {
  if (sale.void) return 'invalid_state'
  sale.void = true
  settle(book, now, sale)
  updateLimit(book, now, sale, [sale])
  return 'done'
}

const numberOf = ({ key }: Sale) => key?.split(' ').at(-1)

/** Brings a void sale back, unless its payment was recorded again since; by the void its hold has ended. */
export function restoreSale(book: Book, now: number, sale: Sale): Outcome {
  const isAgain = (other: Sale) =>
    other !== sale && !other.void && numberOf(other) === numberOf(sale) && other.currency === sale.currency
  const again = book.sales.filter(isAgain)
  if (!sale.void || again.some(({ net, gross }) => net === sale.net || gross === sale.gross)) return 'invalid_state'
  sale.void = false
  sale.heldUntil = 0
  earn(book, now, sale)
  settle(book, now, sale)
  return 'done'
}

export function releaseSale(sale: Sale, now: number): Outcome {
  if (sale.heldUntil <= now) return 'invalid_state'
  sale.heldUntil = 0
  return 'done'
}

export function adjustBalance(book: Book, now: number, partner: number, amount: bigint) {
  const piece = { partner, sale: null, layer: 0, amount, earned: false, clawback: false, payout: null }
  book.pieces.push({ ...piece, dueAt: now })
}

// --- later changes

export function enterRate(book: Book, now: number, rate: Book['exchangeRates'][number]) {
  book.exchangeRates = book.exchangeRates.filter((one) => one.date !== rate.date || one.currency !== rate.currency)
  book.exchangeRates.push(rate)
  const waiting = book.sales.filter((one) => one.base === null && one.currency === rate.currency)
  for (const sale of waiting) sale.base = inAccountCurrency(book, sale)
  earn(book, now, ...waiting)
}

export function attributeSale(book: Book, now: number, sale: Sale, leadNumber: number, earlier: boolean): Outcome {
  const lead = book.leads[leadNumber]!
  if (sale.partner !== null || sale.void) return 'invalid_state'
  if (lead.partner === null) return 'validation_failed'
  assignLead(book, now, [sale], leadNumber)
  if (earlier) credit(book, now, leadNumber)
  return 'done'
}

function assignLead(book: Book, now: number, sales: Sale[], leadNumber: number) {
  const { partner, blueprint, referredAt } = book.leads[leadNumber]!
  for (const sale of sales) {
    Object.assign(sale, { lead: leadNumber, partner, blueprint, referredAt })
    judge(book, now, sale)
  }
  earn(book, now, ...sales)
}

/** Credits the lead's sales that have no partner. */
function credit(book: Book, now: number, leadNumber: number) {
  const sales = book.sales.filter((sale) => sale.lead === leadNumber && sale.partner === null && !sale.void)
  assignLead(book, now, sales, leadNumber)
}

export function reassignLead(book: Book, now: number, leadNumber: number, partner: number, earlier: boolean): Outcome {
  if (!book.partners[partner]!.active) return 'validation_failed'
  Object.assign(book.leads[leadNumber]!, { partner, referredAt: now })
  if (earlier) credit(book, now, leadNumber)
  return 'done'
}

// --- payouts

const part = (book: Book, piece: Piece, now: number): keyof Parts => {
  if (piece.payout) return piece.payout.state === 'paid' ? 'paid' : 'inPayout'
  const { sale, layer } = piece
  const unpaid = () => book.pieces.filter((one) => one.sale === sale && one.layer === layer && !one.payout)
  const isOwedBack = () => piece.clawback && unpaid().reduce((sum, { amount }) => sum + amount, 0n) < 0n
  if (sale && (isDisputed(sale) || sale.heldUntil > now) && !isOwedBack()) return 'onHold'
  return piece.dueAt > now ? 'held' : 'due'
}

export type Parts = { held: bigint; due: bigint; onHold: bigint; inPayout: bigint; paid: bigint }

export function readBalance(book: Book, now: number, partner: number): Parts {
  const parts: Parts = { held: 0n, due: 0n, onHold: 0n, inPayout: 0n, paid: 0n }
  for (const piece of book.pieces) if (piece.partner === partner) parts[part(book, piece, now)] += piece.amount
  return parts
}

export const openPayout = (book: Book, partner: number, ...states: Payout['state'][]) =>
  book.payouts.findLast((payout) => payout.partner === partner && states.includes(payout.state))

export function gatherPayouts(book: Book, now: number) {
  for (const partner of book.partners.keys())
    if (!openPayout(book, partner, 'gathering') && readBalance(book, now, partner).due > 0n)
      book.payouts.push({ partner, state: 'gathering', sentAt: 0 })
}

function bind(book: Book, now: number, payout: Payout) {
  const due = book.pieces.filter((one) => one.partner === payout.partner && part(book, one, now) === 'due')
  for (const piece of due) piece.payout = payout
}

function detachPieces(book: Book, payout: Payout) {
  for (const piece of book.pieces) if (piece.payout === payout) piece.payout = null
}

export function approvePayout(book: Book, now: number, payout: Payout): Outcome {
  if (payout.state !== 'gathering') return 'invalid_state'
  if (readBalance(book, now, payout.partner).due <= 0n) return 'not_found'
  if (!book.partners[payout.partner]!.active) return 'payout_blocked'
  bind(book, now, payout)
  payout.state = 'approved'
  return 'done'
}

export function markPaid(book: Book, now: number, payout: Payout): Outcome {
  if (payout.state === 'gathering') {
    const outcome = approvePayout(book, now, payout)
    if (outcome !== 'done') return outcome
  } else if (payout.state !== 'approved') return 'invalid_state'
  else if (!book.partners[payout.partner]!.active) return 'payout_blocked'
  payout.state = 'paid'
  return 'done'
}

export function cancelPayout(book: Book, now: number, payout: Payout): Outcome {
  if (payout.state === 'gathering' && readBalance(book, now, payout.partner).due <= 0n) return 'not_found'
  if (payout.state !== 'gathering' && payout.state !== 'approved') return 'invalid_state'
  payout.state = 'canceled'
  detachPieces(book, payout)
  gatherFor(book, now, payout.partner)
  return 'done'
}

function gatherFor(book: Book, now: number, partner: number) {
  if (!openPayout(book, partner, 'gathering') && readBalance(book, now, partner).due > 0n)
    book.payouts.push({ partner, state: 'gathering', sentAt: 0 })
}

/** Applies the state read for the transfer behind a payout. */
export function applyTransfer(book: Book, now: number, payout: Payout, state: 'moving' | 'sent' | 'bounced' | 'over') {
  if (state === 'moving') payout.state = 'processing'
  if (state === 'bounced') payout.state = 'returned'
  if (state === 'sent' && payout.state !== 'paid') {
    if (payout.state !== 'sent') payout.sentAt = now
    payout.state = businessDays(payout.sentAt, now) >= 5 ? 'paid' : 'sent'
  }
  if (state === 'over') {
    payout.state = 'returned'
    detachPieces(book, payout)
    gatherFor(book, now, payout.partner)
  }
}

/** Whole business days, in UTC, between two instants of the same time of day. */
function businessDays(from: number, to: number) {
  let days = 0
  for (let at = from + DAY; at <= to; at += DAY) if (![0, 6].includes(new Date(at).getUTCDay())) days++
  return days
}

// --- statistics

export type Totals = { sales: bigint; revenue: bigint; share: bigint }

/** Totals of the account, of a partner's own referrals with all their entries, or of one lead. */
export function sumTotals(book: Book, of: { partner: number } | { lead: number } | 'all'): Totals {
  const counted = book.sales.filter((sale) => !sale.void && sale.lead !== null)
  const within = (sale: Sale) => of === 'all' || ('partner' in of ? sale.partner === of.partner : sale.lead === of.lead)
  const own = counted.filter(within)
  const shares = book.pieces.filter(
    ({ sale, partner }) =>
      sale && counted.includes(sale) && (of === 'all' || ('partner' in of ? partner === of.partner : within(sale))),
  )
  return {
    sales: BigInt(own.length),
    revenue: own.reduce((sum, sale) => sum + (sale.base === null ? 0n : sale.base - lostShare(sale, sale.base)), 0n),
    share: shares.reduce((sum, { amount }) => sum + amount, 0n),
  }
}

/** Returns a sale's earnings per layer, and the rest of them. */
export function listLayers(book: Book, sale: Sale) {
  return book.pieces
    .filter((piece) => piece.sale === sale && piece.earned)
    .map(({ partner, layer, amount }) => ({ partner, layer, earned: amount, left: restOfAmount(sale, amount) }))
}
