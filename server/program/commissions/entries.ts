import { byOf } from '../../platform/by.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { tellEntries } from './tell-entries.ts'

/** A row of the ledger as it is written: signed minor units of the account's currency. */
export type NewEntry = {
  id: string
  accountId: string
  saleId: string | null
  refundId: string | null
  /** The payment of the same subscription whose coming or going moved the recurring limit, which this corrects. */
  limitSaleId: string | null
  /** The change of the sale's amount that it follows from. */
  correctionId: string | null
  partnerId: string
  layer: number | null
  ratePpm: number | null
  baseAmount: number | null
  amount: number
  currency: string
  kind: 'earned' | 'reversal' | 'restoration' | 'adjustment' | 'bonus'
  clawback: boolean
  /** Null: at the start of `day` plus the payout delay that its sale was credited with. */
  availableAt: string | null
  /** The day it counts in the statistics. */
  day: string
  reason: string | null
  actor: string | null
}

const column = <K extends keyof NewEntry>(entries: NewEntry[], key: K) => entries.map((entry) => entry[key])

/** Writes ledger rows, however many, in one statement, and tells of each: what takes money back as a reversal. */
export async function writeEntries(tx: Transaction, entries: NewEntry[]): Promise<void> {
  if (entries.length === 0) return
  await tx.run`
    insert into commission_entries (id, account_id, sale_id, refund_id, limit_sale_id, correction_id, partner_id, layer,
      rate_ppm, base_amount, amount, currency, kind, clawback, available_at, day, reason, actor, created_at)
    select e.id, e.account_id, e.sale_id, e.refund_id, e.limit_sale_id, e.correction_id, e.partner_id, e.layer,
      e.rate_ppm, e.base_amount, e.amount, e.currency, e.kind, e.clawback,
      coalesce(e.available_at, (e.day + coalesce((s.credit ->> 'payoutDelay')::integer, a.payout_delay))::timestamp
        at time zone coalesce(s.credit ->> 'timeZone', a.time_zone)),
      e.day, e.reason, e.actor, ${tx.now}
    from unnest(${column(entries, 'id')}::uuid[], ${column(entries, 'accountId')}::uuid[],
      ${column(entries, 'saleId')}::uuid[], ${column(entries, 'refundId')}::uuid[],
      ${column(entries, 'limitSaleId')}::uuid[], ${column(entries, 'correctionId')}::uuid[],
      ${column(entries, 'partnerId')}::uuid[], ${column(entries, 'layer')}::smallint[],
      ${column(entries, 'ratePpm')}::integer[], ${column(entries, 'baseAmount')}::bigint[],
      ${column(entries, 'amount')}::bigint[], ${column(entries, 'currency')}::text[], ${column(entries, 'kind')}::text[],
      ${column(entries, 'clawback')}::boolean[], ${column(entries, 'availableAt')}::timestamptz[],
      ${column(entries, 'day')}::date[], ${column(entries, 'reason')}::text[], ${column(entries, 'actor')}::text[])
      as e (id, account_id, sale_id, refund_id, limit_sale_id, correction_id, partner_id, layer, rate_ppm, base_amount,
        amount, currency, kind, clawback, available_at, day, reason, actor)
      join accounts a on a.id = e.account_id
      left join sales s on s.id = e.sale_id`
  await tellEntries(
    tx,
    entries.map(({ id, accountId, amount, actor }) => ({
      by: byOf(actor),
      accountId,
      type: amount < 0 ? 'commission.reversed' : 'commission.created',
      id,
    })),
  )
}

/** An entry with everything absent that only some kinds have. */
export const entry = (
  fields: Partial<NewEntry> & Pick<NewEntry, 'accountId' | 'partnerId' | 'amount' | 'currency' | 'kind' | 'day'>,
): NewEntry => ({
  id: newId(),
  saleId: null,
  refundId: null,
  limitSaleId: null,
  correctionId: null,
  layer: null,
  ratePpm: null,
  baseAmount: null,
  clawback: false,
  availableAt: null,
  reason: null,
  actor: null,
  ...fields,
})
