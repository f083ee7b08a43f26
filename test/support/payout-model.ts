/**
 * The rules of payouts, written a second time as plainly as possible: balances, valid approvals, and the destination of
 * their money. Nothing of the product is imported, so that a mistake there is not repeated here. Amounts are minor units.
 */
export type Book = {
  partners: Partner[]
  /** The valid approval of each payout. */
  approvals: Map<string, Approval>
  /** The chosen Wise profile. */
  profile: number | null
}

type Partner = {
  /** The account number in the payout details. */
  account: string | null
  suspended: boolean
  /** Archived with the balance voided: money that comes back is not payable. */
  voided: boolean
  years: number[]
  /** By sale. */
  commissions: Map<string, Commission>
  /** The voided amount besides commissions: above all debts, which are waived. */
  forgiven: number
  /** The contents of each payout, by payout. */
  held: Map<string, HeldPayout>
  /** The contents of payouts that have ended. */
  former: Map<string, HeldPayout>
  /** Ended payouts whose contents were void when the partner was reinstated. */
  wasVoid: Set<string>
  /** Entries that no payout has. */
  free: Set<number>
}

/**
 * `most`: the highest payable worth; anything voided above it stays void. `kept`: the same while the balance is void,
 * if payouts that have ended are paid after all.
 */
type Commission = { worth: number; most: number; kept: number }

/** `parts`: the ledger's entries in it. */
type HeldPayout = { amount: number; paid: boolean; bySale: Map<string, number>; parts: Set<number> }

type Approval = { partner: number; at: string; amount: number; account: string | null }

/** A payout in the product's answers. */
export type Seen = {
  id: string
  partner: number
  status: string
  amount: number
  approvedAt: string | null
  bound: number
}

const sum = (amounts: Iterable<number>) => [...amounts].reduce((all, amount) => all + amount, 0)
const heldOf = ({ held }: Partner, sale: string) => sum([...held.values()].map(({ bySale }) => bySale.get(sale) ?? 0))
const due = (partner: Partner) =>
  sum([...partner.commissions.values()].map(({ worth, most }) => Math.min(worth, most))) +
  partner.forgiven -
  sum([...partner.held.values()].map(({ amount }) => amount))

export const aPartner = (account: string, years: number[]): Partner => ({
  account,
  suspended: false,
  voided: false,
  years,
  commissions: new Map(),
  forgiven: 0,
  held: new Map(),
  former: new Map(),
  wasVoid: new Set(),
  free: new Set(),
})

let entries = 0
const anEntry = ({ free }: Partner) => free.add(++entries)

/** Books a sale's earning, the loss by a refund, or its return when the refund fails. */
export function bookEarning(book: Book, partner: number, sale: string, amount: number) {
  const { commissions } = book.partners[partner]!
  anEntry(book.partners[partner]!)
  const known = commissions.get(sale)
  if (known) known.worth += amount
  else commissions.set(sale, { worth: amount, most: Number.POSITIVE_INFINITY, kept: Number.POSITIVE_INFINITY })
}

/**
 * Voids the balance of an archived partner: they keep the contents of payouts, up to their present worth. Debts are
 * waived.
 */
export function voidBalance(book: Book, partner: number) {
  const one = book.partners[partner]!
  one.voided = true
  for (const [sale, commission] of one.commissions) {
    commission.most = Math.min(commission.most, commission.worth, heldOf(one, sale))
    commission.kept = commission.most
  }
  anEntry(one)
  one.forgiven -= due(one)
}

/** Ends the void: what was paid remains the partner's, and so does what turns out to be paid. */
export function reinstatePartner(book: Book, partner: number) {
  const one = book.partners[partner]!
  if (!one.voided) return
  one.voided = false
  for (const [sale, commission] of one.commissions)
    commission.most = Math.min(commission.most, commission.kept, heldOf(one, sale))
  for (const id of one.former.keys()) one.wasVoid.add(id)
}

export const readBalance = (book: Book, partner: number) => {
  const one = book.partners[partner]!
  const held = [...one.held.values()]
  return {
    due: due(one),
    inPayout: sum(held.filter(({ paid }) => !paid).map(({ amount }) => amount)),
    paid: sum(held.filter(({ paid }) => paid).map(({ amount }) => amount)),
  }
}

/** Updates the book from a payout's state in the product; returns its fault, or null. */
export function updateBook(book: Book, seen: Seen): string | null {
  const partner = book.partners[seen.partner]!
  const before = book.approvals.get(seen.id)
  const ended =
    seen.status === 'gathering' || seen.status === 'canceled' || (seen.status === 'returned' && seen.bound === 0)
  if (before && (ended || before.at !== seen.approvedAt)) {
    const held = partner.held.get(seen.id)
    if (held) {
      for (const part of held.parts) partner.free.add(part)
      // one that gathers again is approved anew, for what is due by then
      if (ended && seen.status !== 'gathering') partner.former.set(seen.id, held)
      else partner.former.delete(seen.id)
      if (partner.voided) detachPayout(partner, seen.id)
      else if (partner.wasVoid.has(seen.id)) voidReturned(partner, seen.id)
    }
    partner.held.delete(seen.id)
    book.approvals.delete(seen.id)
  }
  if (ended || seen.approvedAt === null) return null
  if (!book.approvals.has(seen.id) && partner.former.has(seen.id)) {
    const { amount } = partner.former.get(seen.id)!
    payAfterAll(partner, seen.id)
    book.approvals.set(seen.id, { partner: seen.partner, at: seen.approvedAt, amount, account: partner.account })
  }
  if (!book.approvals.has(seen.id)) {
    const amount = due(partner)
    if (amount !== seen.amount) return `${seen.id} was approved for ${seen.amount}, but ${amount} was due`
    const bySale = [...partner.commissions].map(([sale, { worth }]) => [sale, worth - heldOf(partner, sale)] as const)
    partner.held.set(seen.id, { amount, paid: false, bySale: new Map(bySale), parts: partner.free })
    partner.free = new Set()
    book.approvals.set(seen.id, { partner: seen.partner, at: seen.approvedAt, amount, account: partner.account })
  }
  const approval = book.approvals.get(seen.id)!
  if (approval.amount !== seen.amount || approval.amount !== seen.bound)
    return `${seen.id} was approved for ${approval.amount}, shows ${seen.amount} and holds ${seen.bound}`
  const held = partner.held.get(seen.id)
  if (held) held.paid = seen.status === 'paid'
  return null
}

/**
 * Money returned to a voided balance is void, too: the balance does not change, except for debts by later refunds of
 * the very commissions that return. The partner keeps as much of these as other payouts contain.
 */
function detachPayout(partner: Partner, payout: string) {
  const sales = [...partner.held.get(payout)!.bySale.keys()]
  const owed = () =>
    sum(
      sales.map((sale) => {
        const { worth, most } = partner.commissions.get(sale)!
        return Math.max(0, Math.min(most, heldOf(partner, sale)) - worth)
      }),
    )
  const balance = due(partner) + owed()
  partner.held.delete(payout)
  for (const sale of sales) {
    const commission = partner.commissions.get(sale)!
    commission.most = Math.min(commission.most, heldOf(partner, sale))
  }
  partner.forgiven += balance - owed() - due(partner)
}

const sumOver = (worth: number, kept: number) => Math.max(0, kept - worth)

/**
 * Holds the contents of an ended payout again, or its amount beside those of another payout. Nothing void is deducted,
 * whether it is void now or was when the partner was reinstated; only what refunds took of it meanwhile.
 */
function payAfterAll(partner: Partner, id: string) {
  const former = partner.former.get(id)!
  const isFree = former.parts.isSubsetOf(partner.free)
  const wasVoid = !partner.voided && partner.wasVoid.has(id)
  const before = due(partner)
  const known = [...former.bySale].map(([sale, paid]) => ({ sale, paid, ...partner.commissions.get(sale)! }))
  if (isFree) {
    partner.free = partner.free.difference(former.parts)
    partner.held.set(id, { ...former, paid: true })
  } else {
    const [own] = [++entries, anEntry(partner)]
    partner.held.set(id, { amount: former.amount, paid: true, bySale: new Map(), parts: new Set([own]) })
  }
  partner.former.delete(id)
  if (!wasVoid && !(partner.voided && isFree)) return
  let owed = 0
  for (const { sale, paid, worth, most, kept } of known) {
    const becomes = partner.voided ? Math.min(kept, heldOf(partner, sale)) : Math.min(kept, most + paid)
    if (becomes === Number.POSITIVE_INFINITY) continue
    const was = partner.voided ? Math.min(kept, heldOf(partner, sale) - paid) : most
    owed += sumOver(worth, becomes) - sumOver(worth, was)
    partner.commissions.get(sale)!.most = becomes
  }
  anEntry(partner)
  partner.forgiven += before - owed - due(partner)
  if (wasVoid)
    for (const [other, { parts }] of partner.former)
      if (!parts.isDisjointFrom(former.parts)) partner.wasVoid.delete(other)
}

/** Money that comes back of what was void before it was paid after all is void again. */
function voidReturned(partner: Partner, id: string) {
  const before = due(partner)
  const { bySale } = partner.held.get(id)!
  partner.held.delete(id)
  let owed = 0
  for (const [sale, paid] of bySale) {
    const commission = partner.commissions.get(sale)!
    if (commission.most === Number.POSITIVE_INFINITY) continue
    const becomes = Math.max(commission.most - paid, Math.min(commission.most, 0))
    owed += sumOver(commission.worth, becomes) - sumOver(commission.worth, commission.most)
    commission.most = becomes
  }
  anEntry(partner)
  partner.forgiven += before - owed - due(partner)
}

/** A transfer just paid by the product. */
export type Paid = { payout: string; amount: number; account: string; profile: number; year: number }

/** Returns the fault of a payment, or null. */
export function findFault(book: Book, paid: Paid): string | null {
  const approval = book.approvals.get(paid.payout)
  if (!approval) return `${paid.amount} was paid for ${paid.payout}, which nobody has approved`
  const partner = book.partners[approval.partner]!
  if (paid.amount !== approval.amount) return `${paid.amount} was paid where ${approval.amount} was approved`
  if (paid.account !== approval.account)
    return `account ${paid.account} was paid where ${approval.account} was approved`
  if (paid.account !== partner.account)
    return `account ${paid.account} was paid, but the partner has ${partner.account}`
  if (paid.profile !== book.profile) return `profile ${paid.profile} has paid where ${book.profile} is chosen`
  if (partner.suspended) return 'a suspended partner was paid'
  if (!partner.years.includes(paid.year)) return `a partner who is not approved for ${paid.year} was paid`
  return null
}
