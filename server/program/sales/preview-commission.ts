import type { CommissionPreview, PreviewedSale } from '#contract/sales.ts'
import type { Terms } from '#contract/terms.ts'
import { asUuid, newId } from '../../platform/database/ids.ts'
import { type Database, type Transaction, transaction } from '../../platform/database/pool.ts'
import { sql } from '../../platform/database/sql.ts'
import { wrongField } from '../../platform/refusal.ts'
import { addDays, addMonths, dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { type Credit, computeCredits, computeEarnings } from '../commissions/credit.ts'
import { readUsed } from '../leads/caps.ts'
import { partnerNames } from '../partner-directory/partner-names.ts'
import { haveCaps } from '../terms/caps.ts'
import { logWith } from '../terms/in-force.ts'
import { type PlannedSale, type SaleTerms, underCaps } from '../terms/plan.ts'
import { hasPlace } from '../terms/planned-sales.ts'
import { checkTerms } from '../terms/terms-state.ts'
import { inAccountCurrency, ratesFor } from './exchange-rates.ts'
import { explainTerms, partsInWords } from './explain-terms.ts'
import { customersOwn } from './latest-click.ts'
import { isPartnersCode } from './reported-codes.ts'
import { linesToStore, requireLines } from './sale-lines.ts'

/** Returns the commission by partner of a sale recorded now, and why; writes nothing. */
export const previewCommission = (
  db: Database | Transaction,
  account: AccountFacts,
  sale: PreviewedSale,
): Promise<CommissionPreview> =>
  transaction(db, async (tx) => {
    if (sale.terms) checkTerms(sale.terms)
    const referrer = await referrerOf(tx, account.id, sale)
    const currency = account.defaultCurrency
    const saleDate = sale.saleDate ?? dayIn(account.timeZone, tx.now)
    const from = sale.currency ?? currency
    const [rate] = await ratesFor(tx, [{ accountId: account.id, currency: from, accountCurrency: currency, saleDate }])
    const accountAmount = rate ? inAccountCurrency(sale.amount, from, currency, rate) : null
    const draft = { id: newId(), accountId: account.id, ...referrer, accountAmount }
    const unsuspected = { leadEmail: null, ownVisit: false, payerEmail: null, cardHash: null, judged: true }
    const unpaid = { saleDate, shopId: null, customerId: null, subscriptionId: null, credited: true, ...customersOwn }
    const byRates = { amount: accountAmount ?? 0, givenCommission: null }
    const accounts = new Map([[account.id, account]])
    const log = sale.terms && referrer.partnerId ? logOf(account.id, referrer.partnerId, sale.terms) : undefined
    const credits = await computeCredits(tx, accounts, [{ ...draft, ...unsuspected, ...unpaid, ...byRates }], log)
    const credited = credits.get(draft.id)!
    const capped = { ...draft, saleDate }
    const isCapped = credited.version && haveCaps(credited.version) && draft.partnerId && accountAmount
    const used = isCapped ? await readUsed(tx, [capped]) : undefined
    const planned = {
      amount: sale.amount,
      grossAmount: sale.amount,
      accountAmount: accountAmount ?? 0,
      saleDate,
      country: sale.country ?? null,
      metadata: sale.metadata ?? {},
      lines: linesOf(sale),
      partnerCode: await isPartnersCode(tx, account.id, [sale.promotionCode]),
      ...(await placeOf(tx, account.id, sale, saleDate)),
    }
    const booked = { ...planned, ...capped, accountAmount: accountAmount ?? 0 }
    credited.terms = underCaps({ ...booked, credit: credited.terms, terms: credited.version }, used, 0)
    const plan = computeEarnings({ ...planned, ...credited, accountAmount, pastLimit: false })
    const names = await partnerNames(
      tx,
      [account.id],
      plan.map((earning) => earning.partnerId),
    )
    const total = plan.reduce((sum, { earned }) => sum + earned, 0)
    return {
      currency,
      accountAmount,
      entries: plan.map(({ partnerId, ratePpm, flatAmount, layer, earned }) => ({
        partnerId,
        displayName: names.get(partnerId) ?? '',
        layer,
        rate: ratePpm === null ? null : ratePpm / 10_000,
        flat: flatAmount,
        amount: earned,
      })),
      total,
      profit: accountAmount === null ? null : accountAmount - total,
      unearned: plan.length > 0 ? null : unearnedOf(referrer, credited.terms),
      terms: await termsInWords(tx, { ...planned, ...draft, accountAmount: accountAmount ?? 0 }, credited, {
        currency,
        unsaved: sale.terms,
      }),
      dueOn: addDays(saleDate, account.payoutDelay),
    }
  })

type Referrer = {
  partnerId: string | null
  blueprintId: string | null
  leadId: string | null
  referredAt: string | null
}

/**
 * Returns who would be credited: the partner of a lead, unless it is rejected, or a partner with a customer referred now.
 */
async function referrerOf(tx: Transaction, accountId: string, sale: PreviewedSale): Promise<Referrer> {
  const referrer = sale.leadId
    ? await tx.maybe<Referrer>`
        select case when status <> 'rejected' then partner_id end as partner_id, blueprint_id, id as lead_id,
          coalesce(attributed_at, created_at) as referred_at
        from leads where id = ${asUuid(sale.leadId)} and account_id = ${accountId}`
    : await tx.maybe<Referrer>`
        select id as partner_id, null::uuid as blueprint_id, null::uuid as lead_id, ${tx.now}::timestamptz as referred_at
        from partners where id = ${asUuid(sale.partnerId!)} and account_id = ${accountId}`
  if (!referrer) throw sale.leadId ? wrongField('leadId', 'unknown_lead_in_account') : unknownPartner()
  return referrer
}

/** The log with these terms as the partner's own. */
const logOf = (accountId: string, partnerId: string, terms: Terms) =>
  logWith(accountId, {
    subject: { kind: 'partner', id: partnerId },
    terms,
    appliesTo: 'all-sales',
    since: new Date(0).toISOString(),
  })

/** Returns the lines as they would be stored; one without a name has that of its product. */
const linesOf = ({ amount, lines }: PreviewedSale) =>
  linesToStore(requireLines(amount, lines))?.map((line) => ({
    ...line,
    name: line.name ?? line.productId ?? line.priceId ?? line.sku,
  })) ?? null

/** Returns the place of the sale among its customer's: the next of a lead, else the first, or the given one. */
async function placeOf(tx: Transaction, accountId: string, { leadId, payment }: PreviewedSale, saleDate: string) {
  // earlier payments are taken to be a month apart
  if (payment) return { customerPlace: payment, customerSince: addMonths(saleDate, 1 - payment) }
  const known = leadId
    ? await tx.one<{ count: number; since: string | null }>`
        select count(*) as count, min(t.sale_date) as since from sales t
        where t.account_id = ${accountId} and t.lead_id = ${asUuid(leadId)} and ${hasPlace(sql`t`)}
          and t.sale_date <= ${saleDate}`
    : { count: 0, since: null }
  return { customerPlace: known.count + 1, customerSince: known.since ?? saleDate }
}

/** Explains the earnings of the referrer, also by terms that are not saved, which have no version. */
async function termsInWords(
  tx: Transaction,
  sale: PlannedSale & Referrer & { accountId: string },
  { terms: credit, version }: Pick<Credit, 'terms' | 'version'>,
  { currency, unsaved }: { currency: string; unsaved: Terms | undefined },
): Promise<CommissionPreview['terms']> {
  if (!credit) return null
  const reader = { currency, layer: 0, seesAmounts: true, isPartner: false }
  const referredAt = sale.leadId ? sale.referredAt : null
  if (unsaved)
    return {
      source: 'partner',
      sourceName: '',
      version: 0,
      appliesTo: 'all-sales',
      savedAt: tx.now.toISOString(),
      ...partsInWords({ ...sale, credit, terms: unsaved }, reader),
      referredAt,
    }
  const explained = await explainTerms(tx, { ...sale, credit, terms: version }, reader)
  return explained && { ...explained, referredAt }
}

function unearnedOf({ partnerId }: Referrer, terms: SaleTerms | null): CommissionPreview['unearned'] {
  if (!partnerId) return { why: 'no-partner', source: null }
  return terms?.ratesPpm?.every((rate) => rate === 0) ? { why: 'zero-rates', source: terms.source } : null
}

const unknownPartner = () => wrongField('partnerId', 'unknown_partner_in_account')
