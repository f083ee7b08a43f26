import { isDeepStrictEqual } from 'node:util'
import { moneyInWords, toProportion } from '#contract/money.ts'
import type { SaleLine } from '#contract/sales.ts'
import { type Author, diffFields, toActor } from '../../platform/author.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { refusal } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { lockLeads } from '../leads/lead-facts.ts'
import { refusePast } from '../stats/count.ts'
import { bookLate } from './book-late.ts'
import { insertCorrection, rescaleRefunds } from './corrections.ts'
import { emitSaleEvent } from './emit-sale-events.ts'
import { inAccountCurrency } from './exchange-rates.ts'
import { moveToSubscription, updatePlaces } from './places.ts'
import { saveProducts } from './products-seen.ts'
import { followLead } from './refund-sale.ts'
import { isPartnersCode, toPromotionCodes } from './reported-codes.ts'
import { linesToStore } from './sale-lines.ts'
import { lockSale, type SaleRow, type SaleState, saveState, settleSale } from './sale-state.ts'
import { lockSubscriptions } from './subscriptions.ts'

/** A sale's amounts in minor units of its own currency: net, tax, and what the customer paid. */
export type SaleAmounts = { amount: number; taxAmount: number; grossAmount: number; currency: string }

/** A later report of a sale. Lines, a country and promotion codes that are not reported keep those known. */
export type ReportedSale = SaleAmounts & {
  lines?: SaleLine[] | null
  country?: string | null
  promotionCodes?: string[]
}

type Changed = Pick<
  SaleRow,
  'amount' | 'taxAmount' | 'grossAmount' | 'lines' | 'country' | 'promotionCodes' | 'partnerCode'
>

/**
 * Corrects a sale's amounts, such as after a second capture or a tax reported late, at its own exchange rate, its lines,
 * country and promotion codes, and adjusts every layer to its share, less the refunds. The change counts on the day of the sale;
 * entries in an approved payout are compensated at once. An unchanged report has no effect, nor do another currency, or
 * the tax share of a sale first recorded from another source. Returns whether anything changed. `source`: in words.
 */
export async function correctSale(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  saleId: string,
  { reported, source }: { reported: ReportedSale; source: string },
): Promise<boolean> {
  const changed = await changeOf(tx, account, saleId, reported)
  if (!changed) return false
  const before = await lockSale(tx, account.id, saleId)
  const { givenCommission } = before.sale
  const sale = {
    ...before.sale,
    ...changed,
    accountAmount: atOwnRate(before.sale, changed.amount),
    givenCommission: givenCommission && toProportion(givenCommission, changed.amount, before.sale.amount),
  }
  const { reason, words } = reasonOf(before.sale, sale, source)
  const correctionId = newId()
  const actor = toActor(by)
  await insertCorrection(tx, { id: correctionId, before: before.sale, after: sale, reason, actor })

  if (sale.lines && !isDeepStrictEqual(sale.lines, before.sale.lines)) await saveProducts(tx, [sale])
  const refunds = rescaleRefunds(sale, before.refunds, account.timeZone)
  const cause = { refund: null, correctionId, day: sale.saleDate, now: tx.now, reason: words, actor }
  const { state, written } = settleSale({ ...before, sale, refunds }, cause)
  refusePast(await saveState(tx, before, state, written))
  if (!isDeepStrictEqual(changed.promotionCodes, before.sale.promotionCodes)) await saveCodes(tx, sale)
  if (sale.credit === null && sale.partnerId && sale.accountAmount) await creditLate(tx, by, account, state)
  // a sale of zero is no payment of its subscription
  else if ((before.sale.accountAmount === 0) !== (sale.accountAmount === 0))
    await updatePlaces(tx, new Map([[account.id, account]]), [{ ...sale, by, isBooked: true }])
  await followLead(tx, by, sale.accountId, sale.leadId)
  await emitSaleEvent(tx, by, account.id, 'sale.updated', {
    id: saleId,
    changes: diffFields(factsOf(before.sale), factsOf(state.sale)),
  })
  return true
}

/** Time in which a provider's own sale may still get its subscription, and with it the account's recurring limit. */
const NEW_FOR_MS = 86_400_000

/**
 * Assigns a sale to the subscription that its provider has reported by now: a charge may be reported before its invoice.
 * One recorded without a subscription longer ago stays so: it was credited without a limit.
 */
export async function correctSubscription(
  tx: Transaction,
  account: AccountFacts,
  saleId: string,
  subscriptionId: string | null,
): Promise<void> {
  const accountId = account.id
  const { known, leadId, isNew } = await tx.one<{ known: string | null; leadId: string | null; isNew: boolean }>`
    select subscription_id as known, lead_id,
      told_by_shop_id is null and created_at > ${new Date(tx.now.getTime() - NEW_FOR_MS)} as is_new
    from sales where account_id = ${accountId} and id = ${saleId}`
  if (!subscriptionId || known === subscriptionId || !(known || isNew)) return
  if (leadId) await lockLeads(tx, [accountId], [leadId])
  await lockSubscriptions(tx, [
    { accountId, subscriptionId },
    { accountId, subscriptionId: known },
  ])
  const { sale } = await lockSale(tx, accountId, saleId)
  const isCredited = sale.credit !== null
  if (!known && isCredited)
    await tx.run`
      update sales set recurring_months = ${account.recurringMonths}
      where account_id = ${accountId} and id = ${saleId} and latest_click is distinct from 'order'`
  await moveToSubscription(tx, account, { ...sale, isCredited }, subscriptionId)
}

/**
 * Returns the sale's facts after this report; null if they are unchanged. Compares without a lock: only one process at a
 * time works on a payment, and nothing else changes these facts.
 */
async function changeOf(tx: Transaction, account: AccountFacts, saleId: string, reported: ReportedSale) {
  const { currency, isAdopted, ...known } = await tx.one<Changed & { currency: string; isAdopted: boolean }>`
    select amount, tax_amount, gross_amount, lines, country, promotion_codes, partner_code, currency, told_by_shop_id is not null as is_adopted
    from sales where id = ${saleId} and account_id = ${account.id}`
  if (currency !== reported.currency) return null
  const { amount, taxAmount, grossAmount } = isAdopted && known.grossAmount === reported.grossAmount ? known : reported
  const lines = linesToStore(reported.lines) ?? known.lines
  const country = reported.country ?? known.country
  const codes = await codesToldOf(tx, account, known, reported)
  const changed: Changed = { amount, taxAmount, grossAmount, lines, country, ...codes }
  return isDeepStrictEqual(changed, known) ? null : changed
}

type Codes = Pick<SaleRow, 'promotionCodes' | 'partnerCode'>

/** Returns the codes after this report, and whether one of them was some partner's when it was reported. */
async function codesToldOf(
  tx: Transaction,
  account: AccountFacts,
  known: Codes,
  reported: ReportedSale,
): Promise<Codes> {
  const { promotionCodes, partnerCode } = known
  const { promotionCodes: toldCodes = [] } = reported
  const codes = toPromotionCodes(toldCodes)
  if (codes.length === 0 || isDeepStrictEqual(codes, promotionCodes)) return { promotionCodes, partnerCode }
  const isStill = partnerCode && (promotionCodes ?? []).every((code) => codes.includes(code))
  return { promotionCodes: codes, partnerCode: isStill || (await isPartnersCode(tx, account.id, toldCodes)) }
}

const saveCodes = (tx: Transaction, { id, accountId, promotionCodes, partnerCode }: SaleRow) => tx.run`
  update sales set promotion_codes = ${promotionCodes}, partner_code = ${partnerCode}
  where account_id = ${accountId} and id = ${id}`

/** Returns the reason of a correction, and the one its entries show. */
function reasonOf(before: SaleRow, after: SaleRow, source: string) {
  if (isDeepStrictEqual(amountsOf(before), amountsOf(after))) {
    const same = (field: 'lines' | 'country') => isDeepStrictEqual(before[field], after[field])
    const reason = `${same('lines') ? (same('country') ? 'Promotion codes' : 'Country') : 'Lines'} reported by ${source}`
    return { reason, words: reason }
  }
  const [was, became] = [before, after].map((sale) => moneyInWords(sale.amount, sale.currency))
  return { reason: `Corrected by ${source}`, words: `Corrected by ${source}: ${was} became ${became}` }
}

export function atOwnRate({ currency, accountCurrency, accountAmount, fxRate, saleDate }: SaleRow, amount: number) {
  if (accountAmount === null || fxRate === null) return null
  const exchanged = inAccountCurrency(amount, currency, accountCurrency, { rate: fxRate, date: saleDate })
  if (exchanged === null) throw refusal('corrected_amount_too_large')
  return exchanged
}

/** Credits a sale whose amount was zero and no longer is, like one whose amount was unknown. */
async function creditLate(tx: Transaction, by: Author, account: AccountFacts, before: SaleState) {
  const { leadId } = before.sale
  const [lead] = leadId ? await lockLeads(tx, [account.id], [leadId]) : []
  await bookLate(tx, by, account.id, [{ before, now: {}, lead }])
}

const amountsOf = ({ amount, taxAmount, grossAmount, accountAmount, refundedAmount, status }: SaleState['sale']) => ({
  amount,
  taxAmount,
  grossAmount,
  accountAmount,
  refundedAmount,
  status,
})
const factsOf = (sale: SaleState['sale']) => ({
  ...amountsOf(sale),
  country: sale.country,
  lines: sale.lines ?? [],
  promotionCodes: sale.promotionCodes ?? [],
})
