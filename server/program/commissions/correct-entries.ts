import { proportion } from '#contract/money.ts'
import { type SaleTerms, split } from './earnings.ts'
import { type NewEntry, newEntry } from './entries.ts'

/** A ledger row of a sale. */
export type EntryRow = Pick<
  NewEntry,
  'id' | 'partnerId' | 'layer' | 'ratePpm' | 'baseAmount' | 'amount' | 'kind' | 'day' | 'refundId'
> & {
  availableAt: string
  /** It is in an approved payout. */
  bound: boolean
}

/** A sale with its terms, as its entries need it. */
type CreditedSale = {
  id: string
  accountId: string
  accountAmount: number | null
  accountCurrency: string
  grossAmount: number
  credit: SaleTerms | null
  credited: boolean
}

/** The cause of a sale's correcting entries: their source, day and reason. */
export type EntryCause = {
  refund: { id: string } | null
  /** The added or removed payment that moved the recurring limit. */
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
 * Returns the entries that adjust a sale's commission to its amount and its loss: a layer keeps the amount of its own
 * rate, less round half up (that × lost / gross). An excess becomes a reversal, a shortfall a restoration, or earned if
 * it exceeds all earlier earnings.
 */
export const correctingEntries = (
  sale: CreditedSale,
  entries: EntryRow[],
  lost: number,
  cause: EntryCause,
): NewEntry[] => layersOf(sale, entries, cause).flatMap((layer) => difference(sale, layer, lost, cause))

/**
 * Returns the part of an amount that is lost with `lost` of the sale. A sale of zero loses nothing, whatever is
 * reported.
 */
export const lostShare = (amount: number, lost: number, { grossAmount }: Pick<CreditedSale, 'grossAmount'>) =>
  lost === 0 ? 0 : proportion(amount, lost, grossAmount)

/** A partner's amount from a sale in one layer, and the amount its rate gives of the sale's current amount. */
type Layer = {
  partnerId: string
  layer: number
  ratePpm: number
  earned: number
  entries: EntryRow[]
}

/**
 * Returns the layers by the sale's credit. None if no layer ever earned, unless a correction makes it earn: an amount
 * too small for a layer before may now be enough.
 */
function layersOf(sale: CreditedSale, entries: EntryRow[], { correctionId, addsLayers }: EntryCause): Layer[] {
  if (entries.length === 0 && !((correctionId || addsLayers) && sale.credit && sale.credited)) return []
  if (!sale.credit) throw new Error(`sale ${sale.id} has entries and was credited with nothing`)
  const earned = new Map(split(sale.accountAmount ?? 0, sale.credit).map((one) => [one.layer, one.amount]))
  const byLayer = Map.groupBy(entries, ({ layer }) => layer!)
  const { ratesPpm, line } = sale.credit
  return line.flatMap(({ partnerId }, layer) => {
    const own = byLayer.get(layer) ?? []
    if (!partnerId || (own.length === 0 && !earned.has(layer))) return []
    return [{ partnerId, layer, ratePpm: ratesPpm[layer]!, earned: earned.get(layer) ?? 0, entries: own }]
  })
}

function difference(sale: CreditedSale, layer: Layer, lost: number, cause: EntryCause): NewEntry[] {
  const { partnerId, ratePpm, earned, entries } = layer
  const has = entries.reduce((sum, { amount }) => sum + amount, 0)
  const amount = earned - lostShare(earned, lost, sale) - has
  if (amount === 0) return []
  const earnings = entries.filter(({ kind }) => kind === 'earned')
  const everEarned = earnings.reduce((sum, entry) => sum + entry.amount, 0)
  const kind = amount < 0 ? 'reversal' : has + amount > everEarned ? 'earned' : 'restoration'
  // entries of an approved payout are compensated at once; only amounts owed back skip a hold
  const bound = earnings.some((entry) => entry.bound)
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
      baseAmount: Math.sign(amount) * baseOf(sale, layer, Math.abs(amount)),
      amount,
      currency: sale.accountCurrency,
      kind,
      clawback: bound && kind !== 'earned',
      availableAt: bound ? cause.now.toISOString() : (earnings[0]?.availableAt ?? null),
      day: cause.day,
      reason: cause.reason,
      actor: cause.actor,
    }),
  ]
}

/** Returns the part of the sale that an entry of this amount covers; the whole rest if the layer loses everything. */
const baseOf = (sale: CreditedSale, { earned, entries }: Layer, amount: number) =>
  earned > 0
    ? proportion(sale.accountAmount!, amount, earned)
    : Math.abs(entries.reduce((sum, { baseAmount }) => sum + (baseAmount ?? 0), 0))
