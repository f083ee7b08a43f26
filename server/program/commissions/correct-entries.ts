import { toProportion } from '#contract/money.ts'
import type { Layer, SaleTerms } from '../terms/plan.ts'
import { type NewEntry, newEntry } from './entries.ts'

/** A ledger row of a sale. */
export type EntryRow = Pick<
  NewEntry,
  | 'id'
  | 'partnerId'
  | 'layer'
  | 'ratePpm'
  | 'baseAmount'
  | 'amount'
  | 'kind'
  | 'day'
  | 'refundId'
  | 'limitSaleId'
  | 'correctionId'
> & {
  availableAt: string
  /** It is in an approved payout. */
  bound: boolean
}

/** A sale as its entries need it. */
type CreditedSale = {
  id: string
  accountId: string
  accountAmount: number | null
  accountCurrency: string
  credit: SaleTerms | null
  credited: boolean
}

/** The cause of a sale's correcting entries: their source, day and reason. */
export type EntryCause = {
  refund: { id: string } | null
  /** The added or removed payment that moved the recurring limit, or the sale's place among its customer's. */
  limitSaleId?: string
  /** The change of the sale's amount. */
  correctionId?: string
  /** The sale's credit has a new layer. */
  addsLayers?: boolean
  day: string
  now: Date
  reason: string | null
  actor: string | null
}

/**
 * Returns the entries that adjust a sale's commission to its current facts. An excess becomes a reversal, a shortfall a
 * restoration, or earned if it exceeds all earlier earnings. None if no layer ever earned, unless a correction makes it
 * earn, or the end of a refund after one: an amount too small for a layer before may now be enough.
 */
export function correctingEntries(
  sale: CreditedSale,
  entries: EntryRow[],
  layers: Layer[],
  cause: EntryCause,
): NewEntry[] {
  const mayBegin = cause.correctionId || cause.addsLayers || cause.refund
  if (entries.length === 0 && !(mayBegin && sale.credit && sale.credited)) return []
  if (!sale.credit) throw new Error(`sale ${sale.id} has entries and was credited with nothing`)
  // a layer that begins to earn is due with the others
  const due = entries.find(({ kind }) => kind === 'earned')?.availableAt ?? null
  const byLayer = Map.groupBy(entries, ({ layer }) => layer!)
  return layers.flatMap((layer) => {
    const own = byLayer.get(layer.layer) ?? []
    return own.length === 0 && layer.earned === 0 ? [] : difference(sale, { ...layer, entries: own, due }, cause)
  })
}

type LayerWithEntries = Layer & { entries: EntryRow[]; due: string | null }

function difference(sale: CreditedSale, layer: LayerWithEntries, cause: EntryCause): NewEntry[] {
  const { partnerId, ratePpm, flatAmount, rule, kept, entries, due } = layer
  const has = entries.reduce((sum, { amount }) => sum + amount, 0)
  const amount = kept - has
  if (amount === 0) return []
  const corrected = computeCorrection(entries, amount, { due, now: cause.now })
  return [
    newEntry({
      accountId: sale.accountId,
      saleId: sale.id,
      refundId: cause.refund?.id ?? null,
      limitSaleId: cause.limitSaleId ?? null,
      correctionId: cause.correctionId ?? null,
      partnerId,
      layer: layer.layer,
      ratePpm,
      flatAmount,
      rule,
      baseAmount: Math.sign(amount) * baseOf(sale, layer, Math.abs(amount)),
      amount,
      currency: sale.accountCurrency,
      ...corrected,
      day: cause.day,
      reason: cause.reason,
      actor: cause.actor,
      // only these causes may come again: another payment, and the sale itself, by a void, its end or its new place
      turn:
        cause.refund || cause.correctionId
          ? 0
          : entries.filter(
              ({ kind, refundId, correctionId, limitSaleId }) =>
                kind === corrected.kind &&
                !refundId &&
                !correctionId &&
                (limitSaleId ?? sale.id) === (cause.limitSaleId ?? sale.id),
            ).length,
    }),
  ]
}

type Corrected = Pick<EntryRow, 'amount' | 'kind' | 'availableAt' | 'bound'>

/**
 * Returns how a partner's entries for the same thing are corrected by an amount. Entries of an approved payout are
 * compensated at once; only amounts owed back skip a hold. `due`: if they never earned.
 */
export function computeCorrection(
  entries: Corrected[],
  amount: number,
  { due = null, now }: { due?: string | null; now: Date },
) {
  const has = entries.reduce((sum, entry) => sum + entry.amount, 0)
  const earnings = entries.filter(({ kind }) => kind === 'earned')
  const everEarned = earnings.reduce((sum, entry) => sum + entry.amount, 0)
  const kind: NewEntry['kind'] = amount < 0 ? 'reversal' : has + amount > everEarned ? 'earned' : 'restoration'
  const bound = earnings.some((entry) => entry.bound)
  const availableAt = bound ? now.toISOString() : (earnings[0]?.availableAt ?? due)
  return { kind, clawback: bound && kind !== 'earned', availableAt }
}

/** Returns the part of the sale that an entry of this amount covers; the whole rest if the layer loses everything. */
const baseOf = (sale: CreditedSale, { earned, entries }: LayerWithEntries, amount: number) =>
  earned > 0
    ? toProportion(sale.accountAmount!, amount, earned)
    : Math.abs(entries.reduce((sum, { baseAmount }) => sum + (baseAmount ?? 0), 0))
