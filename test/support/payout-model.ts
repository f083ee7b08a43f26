/**
 * The rules of payouts said a second time, as plainly as can be: who is owed what, which approval stands, and where its
 * money must go. Nothing of the product is imported, so that a mistake there is not repeated here. Amounts are minor
 * units.
 */
export type Book = {
  partners: Partner[]
  /** The approval that stands, by payout. */
  approvals: Map<string, Approval>
  /** The Wise profile that is chosen. */
  profile: number | null
}

type Partner = {
  /** The account number in the payout details. */
  account: string | null
  suspended: boolean
  /** Archived with the balance voided: nothing that comes back is payable. */
  voided: boolean
  years: number[]
  pieces: Piece[]
}

/** What was earned or taken back, and the payout it is bound to. */
type Piece = { amount: number; payout: string | null; paid: boolean }

type Approval = { partner: number; at: string; amount: number; account: string | null }

/** A payout as the product shows it. */
export type Seen = {
  id: string
  partner: number
  status: string
  amount: number
  approvedAt: string | null
  bound: number
}

const sum = (pieces: Piece[]) => pieces.reduce((all, piece) => all + piece.amount, 0)
const free = ({ pieces }: Partner) => pieces.filter(({ payout }) => payout === null)
const boundTo = ({ pieces }: Partner, id: string) => pieces.filter(({ payout }) => payout === id)

export const aPartner = (account: string, years: number[]): Partner => ({
  account,
  suspended: false,
  voided: false,
  years,
  pieces: [],
})

export const earn = (book: Book, partner: number, amount: number) => {
  book.partners[partner]!.pieces.push({ amount, payout: null, paid: false })
}

/** Archived with the balance voided: what is bound to no payout counts for nothing. */
export function voidBalance(book: Book, partner: number) {
  const one = book.partners[partner]!
  one.voided = true
  const open = sum(free(one))
  if (open !== 0) earn(book, partner, -open)
}

export const balance = (book: Book, partner: number) => {
  const one = book.partners[partner]!
  const bound = one.pieces.filter(({ payout }) => payout !== null)
  return {
    due: sum(free(one)),
    inPayout: sum(bound.filter(({ paid }) => !paid)),
    paid: sum(bound.filter(({ paid }) => paid)),
  }
}

/** Follows what the product shows of a payout; answers what is wrong with it, or null. */
export function follow(book: Book, seen: Seen): string | null {
  const partner = book.partners[seen.partner]!
  const before = book.approvals.get(seen.id)
  const ended =
    seen.status === 'gathering' || seen.status === 'canceled' || (seen.status === 'returned' && seen.bound === 0)
  if (before && (ended || before.at !== seen.approvedAt)) {
    const released = boundTo(partner, seen.id)
    for (const piece of released) Object.assign(piece, { payout: null, paid: false })
    if (partner.voided && released.length > 0) earn(book, seen.partner, -sum(released))
    book.approvals.delete(seen.id)
  }
  if (ended || seen.approvedAt === null) return null
  if (!book.approvals.has(seen.id)) {
    const amount = sum(free(partner))
    if (amount !== seen.amount) return `${seen.id} was approved for ${seen.amount}, but ${amount} was due`
    for (const piece of free(partner)) piece.payout = seen.id
    book.approvals.set(seen.id, { partner: seen.partner, at: seen.approvedAt, amount, account: partner.account })
  }
  const approval = book.approvals.get(seen.id)!
  if (approval.amount !== seen.amount || approval.amount !== seen.bound)
    return `${seen.id} was approved for ${approval.amount}, shows ${seen.amount} and holds ${seen.bound}`
  for (const piece of boundTo(partner, seen.id)) piece.paid = seen.status === 'paid'
  return null
}

/** A transfer that has just been paid by the product. */
export type Paid = { payout: string; amount: number; account: string; profile: number; year: number }

/** What is wrong with a payment, or null. */
export function judge(book: Book, paid: Paid): string | null {
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
