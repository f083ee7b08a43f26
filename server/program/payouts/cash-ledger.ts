import type { Transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'

/** A line that was just written: the money of a payout has left, or is back for good. */
export type CashEntry = { accountId: string; payoutId: string; turn: number; kind: 'out' | 'back' }

type OnCash = (tx: Transaction, lines: CashEntry[]) => void

let handed: OnCash | undefined

/**
 * Registers work of rooms above this one to be done with every cash line, in its transaction. Called once, before any
 * payout moves.
 */
export const registerCashListener = (onCash: OnCash) => {
  handed = onCash
}

function onCash(tx: Transaction, lines: CashEntry[]) {
  if (lines.length === 0) return
  if (!handed) throw new Error('what happens with a cash line was not handed in')
  handed(tx, lines)
}

/** The last cash line of payout `o` of this account. */
const lastLine = (accountId: string) => sql`lateral (
  select c.turn, c.kind, c.amount, c.tax_amount, c.invoice_terms from payout_cash c
  where c.account_id = ${accountId} and c.payout_id = o.id order by c.turn desc limit 1) c`

const written = sql`account_id, payout_id, turn, kind`

/**
 * The fee of the attempt by which payout `o` leaves. In the payee's own currency the account bears it; otherwise it
 * comes out of the amount.
 */
const feeOfAttempt = (accountId: string) => sql`(
  select case when a.payee_currency = a.currency then a.fee end from payout_attempts a
  where a.account_id = ${accountId} and a.payout_id = o.id order by a.number desc limit 1)`

/**
 * Records that the money of these payouts has left, unless that is recorded already: money that was sent, resumed and
 * sent again left once. Written by code rather than a trigger, which could not write another table in a cluster.
 */
export async function recordCashOut(
  tx: Transaction,
  accountId: string,
  payoutIds: string[],
  { byProvider }: { byProvider: boolean },
) {
  const fee = byProvider ? sql`coalesce(${feeOfAttempt(accountId)}, 0)` : sql`0`
  const lines = await tx.many<CashEntry>`
    insert into payout_cash (account_id, payout_id, partner_id, turn, kind, amount, tax_amount, fee, invoice_terms, at)
    select o.account_id, o.id, o.partner_id, coalesce(c.turn + 1, 0), 'out', o.amount, o.tax_amount, ${fee},
      o.invoice_terms, ${tx.now}
    from payouts o left join ${lastLine(accountId)} on true
    where o.account_id = ${accountId} and o.id = any(${payoutIds}::uuid[]) and c.kind is distinct from 'out'
    returning ${written}`
  onCash(tx, lines)
}

/** Records that the money of a payout is back for good, if it was out: its entries are about to be freed. */
export async function recordCashBack(tx: Transaction, accountId: string, payoutId: string) {
  const lines = await tx.many<CashEntry>`
    insert into payout_cash (account_id, payout_id, partner_id, turn, kind, amount, tax_amount, invoice_terms, at)
    select o.account_id, o.id, o.partner_id, c.turn + 1, 'back', c.amount, c.tax_amount, c.invoice_terms, ${tx.now}
    from payouts o cross join ${lastLine(accountId)}
    where o.account_id = ${accountId} and o.id = ${payoutId} and c.kind = 'out'
    returning ${written}`
  onCash(tx, lines)
}

/** Whether the money of payout `o` of this account has left and is not back, whatever its state. */
export const hasMoneyLeft = (accountId: string) => sql`exists (select from ${lastLine(accountId)} where c.kind = 'out')`

/** Returns whether the money of a payout has left and is not back, whatever its state. */
export const isMoneyOut = (tx: Transaction, accountId: string, payoutId: string) =>
  tx.value<boolean>`
    select exists (select from payouts o
      where o.account_id = ${accountId} and o.id = ${payoutId} and ${hasMoneyLeft(accountId)})`
