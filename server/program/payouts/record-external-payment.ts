import type { Author } from '../../platform/author.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { adjustAll, adjustBalance } from '../commissions/adjustments.ts'
import { entryReasons } from '../commissions/text.ts'
import { adjustKeptVoid } from '../commissions/voided.ts'
import { gatherPayouts } from './gather-payouts.ts'
import { type Tax, taxColumns } from './taxes.ts'
import { transitionPayout, voidedPart } from './transitions.ts'

type Left = {
  by: Author
  paidAt: string
  paid: Sql
  changes: Record<string, { old: unknown; new: unknown }>
  /** The tax that was paid with it, unless the payout still has it. */
  tax?: Tax
}

/** Locks the partners exclusively, for binding other entries than the due ones; approvals share these locks. */
export const lockPartnersAlone = (tx: Transaction, accountId: string, partnerIds: string[]) => tx.run`
  select from partners
  where account_id = ${accountId} and id = any(${partnerIds}::uuid[]) order by id for no key update`

type Payment = { partnerId: string; amount: number; reason: string; day: string }

/**
 * Books payments for other entries than the due ones: for each an adjustment of its amount, to be bound to its payout,
 * and another, due at once, which subtracts the same from what the partner is still owed. So paid and due change but not
 * the balance. Returns the entries to bind, in order.
 */
export async function bookPaid(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  payments: Payment[],
): Promise<string[]> {
  const entries = await adjustAll(
    tx,
    by,
    account,
    payments.flatMap((one) => [one, { ...one, amount: -one.amount }]),
  )
  return entries.filter((_, at) => at % 2 === 0)
}

/**
 * Books payments that were made elsewhere or forgotten, like `bookPaid`. Nothing is deducted from a voided balance
 * (`voided`: reasons by partner), as nothing is owed to it.
 */
export async function bookPaidElsewhere(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  payments: Payment[],
  voided: Map<string, string>,
): Promise<string[]> {
  const entries = await bookPaid(tx, by, account, payments)
  await adjustAll(
    tx,
    by,
    account,
    payments.flatMap(({ partnerId, amount }) => {
      const reason = voided.get(partnerId)
      return reason === undefined ? [] : [{ partnerId, amount, reason }]
    }),
  )
  return entries
}

/**
 * Records that a payout's money left although its approval had ended. Binds its former entries again if all of them are
 * still unpaid; the part that was voided when it ended is not deducted, although the partner may be reinstated by now.
 * If another payout has any of them, the partner was overpaid, and the payment is booked beside them. The caller has locked the partner with `lockPartnersAlone`.
 */
export async function payAfterAll(
  tx: Transaction,
  account: AccountFacts,
  { id, partnerId, amount }: { id: string; partnerId: string; amount: number },
  { by, paidAt, paid, changes, tax }: Left,
) {
  const bound = await tx.one<{ ids: string[] | null; sum: number | null; free: boolean; first: string; last: string }>`
    select array_agg(e.id::text order by e.id) as ids, sum(e.amount)::bigint as sum, min(e.day) as first, max(e.day) as last,
      coalesce(bool_and(not exists (
        select from payout_entries o where o.account_id = ${account.id} and o.entry_id = b.entry_id and o.live)), false) as free
    from payout_entries b join commission_entries e on e.account_id = b.account_id and e.id = b.entry_id
    where b.account_id = ${account.id} and b.payout_id = ${id}
      and b.approved_at = (select max(approved_at) from payout_entries where account_id = ${account.id} and payout_id = ${id})`
  const isFree = bound.free && bound.sum === amount
  const day = dayIn(account.timeZone, new Date(paidAt))
  const payment = { partnerId, amount, reason: entryReasons.paidAfterAll, day }
  const entries = isFree ? bound.ids! : await bookPaid(tx, by, account, [payment])
  const [first, last] = isFree ? [bound.first, bound.last] : [day, day]
  await transitionPayout(tx, account, id, 'mark-paid', {
    by,
    set: sql`${paid}, paid_at = ${paidAt}, paid_on = ${day}, amount = ${amount}, period_start = ${first}, period_end = ${last},
      approved_by = ${by.type === 'user' ? by.id : null}, approved_at = ${tx.now}${tax ? sql`, ${taxColumns(tax)}` : sql``}`,
    entries,
    changes,
  })
  // they were void while they were free
  const voided =
    (isFree && (await voidedPart(tx, account.id, { id, partnerId }))) ||
    (await voidUntilReinstated(tx, account.id, { id, partnerId, amount, entryIds: bound.ids ?? [] }))
  if (voided && voided.amount !== 0) await adjustBalance(tx, by, account, partnerId, voided)
  await gatherPayouts(tx, account, [partnerId])
}

type Former = { id: string; partnerId: string; amount: number; entryIds: string[] }

/**
 * Returns the part of a payout with these entries that was void when its partner was reinstated; null if it was not.
 * Another one of them that is paid, too, is an overpayment.
 */
async function voidUntilReinstated(tx: Transaction, accountId: string, { id, partnerId, amount, entryIds }: Former) {
  const wasVoid = await tx.value<boolean>`
    select o.was_void and n.void_reason is null
    from payouts o join partners n on n.account_id = o.account_id and n.id = o.partner_id
    where o.account_id = ${accountId} and o.id = ${id}`
  if (!wasVoid) return null
  await tx.run`
    update payouts o set was_void = false
    where o.account_id = ${accountId} and o.partner_id = ${partnerId} and o.id <> ${id} and o.was_void and exists (
      select from payout_entries b
      where b.account_id = ${accountId} and b.payout_id = o.id and b.entry_id = any(${entryIds}::uuid[]))`
  const owed = await adjustKeptVoid(tx, { accountId, partnerId, entryIds, isBack: false })
  return { reason: entryReasons.partOfVoid, amount: amount - owed }
}
