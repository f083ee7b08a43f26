import { toProportion } from '#contract/money.ts'
import { type Author, toActor } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { type NamedPartner, namedPartner } from '../clicks/named-partner.ts'
import { correctingEntries } from '../commissions/correct-entries.ts'
import { type Settlement, settlePaid, undoSettlements } from '../commissions/settle-paid.ts'
import { refusePast } from '../stats/count.ts'
import { layersAfter, type SaleTerms } from '../terms/plan.ts'
import { atOwnRate } from './correct-sale.ts'
import { insertCorrection } from './corrections.ts'
import type { ImportedSale } from './import-sales.ts'
import { saleCalled } from './known-sales.ts'
import { lockSale, reducesSale, type SaleRow, type SaleState, saveState, settleSale } from './sale-state.ts'

type Given = NonNullable<SaleTerms['given']>

/** A further partner's commission on a sale recorded from the same file. */
export type ImportedShare = {
  sale: NamedPartner & Pick<ImportedSale, 'externalId' | 'orderId'>
  partner: NamedPartner
  /** From the sale's net amount, in its currency. */
  commission: number
  /** The file has no amount of the sale but each partner's commission: the sale grows by this one. */
  isAlone?: boolean
  settled: boolean
}

/**
 * Books a further partner's commission on a sale, as given in a file, in their own layer: refunds of the sale reverse
 * it like the others. Null if the sale does not exist. Refuses: a sale that earns by rates, or belongs to another
 * partner than the file says; more than is left of the sale.
 */
export async function importShare(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  { sale: named, partner: given, commission, isAlone = false, settled }: ImportedShare,
): Promise<{ saleId: string; partnerId: string; created: boolean; adjustments: Settlement[] } | null> {
  const partnerId = (await namedPartner(tx, account.id, given))!
  const found = await saleCalled(
    tx,
    account.id,
    [named.externalId, named.orderId].filter((name) => name != null),
    ['import'],
  )
  if (!found) return null
  const before = await lockSale(tx, account.id, found)
  const { sale } = before
  if (sale.partnerId !== (await namedPartner(tx, account.id, named)))
    throw wrongField('externalId', 'import_sale_of_another_partner')
  const { credit } = sale
  if (sale.status === 'void' || partnerId === sale.partnerId || commissionOf(credit, partnerId) > 0)
    return { saleId: sale.id, partnerId, created: false, adjustments: [] }
  if (!credit?.given) throw wrongField('commission', 'import_share_of_rates')
  // as for the sale itself
  if (settled && sale.accountAmount === null) throw wrongField('currency', 'rate_unknown_that_day')
  const present = ofAmount(credit.given, sale.amount)
  const left =
    sale.amount -
    present.commission -
    (present.others ?? []).reduce((sum, other, at) => sum + (credit.line[at + 1]?.earns ? other : 0), 0)
  const grows = isAlone && left === 0 && sale.amount > 0 && canGrow(before) ? commission : 0
  if (commission > left + grows) throw wrongField('commission', 'commission_above_amount')
  await saveShare(tx, by, before, { partnerId, commission, grows })
  const adjustments = settled ? await settlePaid(tx, by, account, { saleIds: [sale.id], partnerId }) : new Map()
  return { saleId: sale.id, partnerId, created: true, adjustments: adjustments.get(sale.id) ?? [] }
}

/**
 * Undoes a further partner's commission, with its settlement.
 * Refuses: `invalid_state` if any of it is in an approved payout.
 */
export async function undoImportedShare(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  { saleId, partnerId }: { saleId: string; partnerId: string },
) {
  const before = await lockSale(tx, account.id, saleId)
  if (before.entries.some((entry) => entry.partnerId === partnerId && entry.bound)) throw refusal('import_paid_from')
  // before its settlement, like the sale itself
  const { credit, status } = before.sale
  const grows = credit?.given?.isWhole && canGrow(before) ? -commissionOf(credit, partnerId) : 0
  if (status !== 'void') await saveShare(tx, by, before, { partnerId, commission: 0, grows })
  await undoSettlements(tx, by, account, { saleId, partnerId })
}

/** Returns the commission that the terms give this partner as a further one. */
function commissionOf(credit: SaleTerms | null, partnerId: string): number {
  const layer = credit?.line.findIndex((one) => one.partnerId === partnerId) ?? -1
  return layer > 0 && credit!.line[layer]!.earns ? (credit!.given?.others?.[layer - 1] ?? 0) : 0
}

/** Whether its amount is still the one that the file gave, and nothing of it was refunded. */
const canGrow = ({ sale, refunds }: SaleState) => refunds.length === 0 && sale.credit?.given?.amount === sale.amount

/** Returns the sale with an amount that is the sum of its partners' commissions, after one is added or undone. */
function grownBy(sale: SaleRow, by: number): SaleRow {
  if (by === 0) return sale
  const amount = sale.amount + by
  const credit = sale.credit!
  const given = { ...credit.given!, amount, isWhole: true as const }
  const ratesPpm = [given.commission, ...(given.others ?? [])].map((each) => toProportion(1_000_000, each ?? 0, amount))
  return {
    ...sale,
    amount,
    grossAmount: sale.grossAmount + by,
    accountAmount: atOwnRate(sale, amount),
    credit: { ...credit, ratesPpm, given },
  }
}

async function saveShare(
  tx: Transaction,
  by: Author,
  before: SaleState,
  { partnerId, commission, grows }: { partnerId: string; commission: number; grows: number },
) {
  const sale = grownBy(before.sale, grows)
  const credit = withShare(sale, partnerId, commission)
  await tx.run`
    update sales set credit = ${JSON.stringify(credit)}::jsonb where account_id = ${sale.accountId} and id = ${sale.id}`
  const isRebased = credit.given!.amount !== sale.credit!.given!.amount
  const after = { ...sale, credit, givenCommission: isRebased ? credit.given!.commission : sale.givenCommission }
  const actor = toActor(by)
  const cause = { refund: null, day: sale.saleDate, now: tx.now, actor, addsLayers: true, reason: null }
  const isFirst = commission > 0 && !before.entries.some((entry) => entry.layer! > 0 && entry.partnerId === partnerId)
  const refund = isFirst && before.refunds.findLast(reducesSale)
  if (!refund) {
    const change =
      isFirst && !isRebased && grows === 0
        ? {}
        : await recordChange(tx, { before: before.sale, after: sale }, { isUndone: commission === 0, isFirst, actor })
    const { state, written } = settleSale({ ...before, sale: after }, { ...cause, ...change })
    return refusePast(await saveState(tx, before, state, written))
  }
  // earned as a whole, like the other layers, so that a refund that fails later gives it back
  const layers = layersAfter(sale, credit, sale.terms, { refunds: [], lost: 0 })
  const own = layers.filter((layer) => layer.layer > 0 && layer.partnerId === partnerId)
  const earned = correctingEntries(after, before.entries, own, cause)
  const entries = [...before.entries, ...earned.map((row) => ({ ...row, availableAt: row.availableAt!, bound: false }))]
  await saveState(tx, before, { ...before, sale: after, entries }, earned)
  const whole = await lockSale(tx, sale.accountId, sale.id)
  const { reason, countedOn } = refund
  const { state, written } = settleSale(whole, { ...cause, refund, reason, day: countedOn ?? sale.saleDate })
  refusePast(await saveState(tx, whole, state, written))
}

/**
 * Records that a share is undone, imported again or imported after a correction: each time, its entries have a cause of
 * their own.
 */
async function recordChange(
  tx: Transaction,
  sales: { before: SaleRow; after: SaleRow },
  { isUndone, isFirst, actor }: { isUndone: boolean; isFirst: boolean; actor: string | null },
) {
  const correctionId = newId()
  const reason = isUndone ? 'Import undone' : isFirst ? 'Imported' : 'Imported again'
  await insertCorrection(tx, { id: correctionId, ...sales, reason, actor })
  return { correctionId, reason }
}

/** Returns what was given in proportion to a net amount, such as of a sale that was corrected since. */
function ofAmount(given: Given, amount: number): Given {
  if (amount === given.amount) return given
  const scaled = (commission: number) => toProportion(commission, amount, given.amount)
  // a layer without a share has none, or null
  const others = given.others && Array.from(given.others, (share) => scaled(share ?? 0))
  return { commission: scaled(given.commission), amount, ...(others && { others }) }
}

/** Adds the share, which is of the sale's present amount; a partner who had a layer before keeps it. */
function withShare(sale: SaleRow, partnerId: string, commission: number): SaleTerms {
  const credit = sale.credit!
  const known = credit.line.findIndex((one, layer) => layer > 0 && one.partnerId === partnerId)
  const layer = known > 0 ? known : credit.line.length
  // the layer stays, to explain earlier entries
  if (commission === 0) return { ...credit, line: credit.line.with(layer, { partnerId, earns: false }) }
  const given = ofAmount(credit.given!, sale.amount)
  const at = <T>(list: readonly T[], place: number, value: T) => Object.assign([...list], { [place]: value })
  return {
    ...credit,
    line: at(credit.line, layer, { partnerId, earns: true }),
    ratesPpm: at(credit.ratesPpm ?? [], layer, toProportion(1_000_000, commission, given.amount)),
    given: { ...given, others: at(given.others ?? [], layer - 1, commission) },
  }
}
