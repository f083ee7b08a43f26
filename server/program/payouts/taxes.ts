import type { Transaction } from '../../platform/database/pool.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { rewardsOfPartners } from '../access/customer-groups.ts'
import { type InvoiceTerms, invoiceTerms, isTaxed, newestDetails } from '../invoicing/details.ts'
import { taxOn, taxOnSql } from '../invoicing/treatment.ts'
import type { PayoutTerms } from './payout-terms.ts'

// VAT beside the ledger: it leaves with a payout, and is no part of its amount.

/** The tax of a payout, and what its approval fixes of the invoice. */
export type Tax = { taxAmount: number; invoiceTerms: InvoiceTerms | null }

export const noTax: Tax = { taxAmount: 0, invoiceTerms: null }

/** Returns the tax on an amount for each of these partners, as an approval fixes it now. */
export async function createTaxCalculator(
  tx: Transaction,
  { account, invoicing, customerGroups }: PayoutTerms,
  partnerIds: string[],
): Promise<(partnerId: string, amount: number) => Tax> {
  if (!invoicing.enabled) return () => noTax
  const details = await newestDetails(tx, account.id, partnerIds)
  const rewards = customerGroups.length > 0 ? await rewardsOfPartners(tx, account.id, partnerIds) : new Map()
  return (partnerId, amount) => {
    // what isn't money is no payment for a service
    const isMoney = (rewards.get(partnerId)?.as ?? 'money') === 'money'
    const terms = isMoney ? invoiceTerms(invoicing, details.get(partnerId)) : null
    return terms && amount > 0 ? { taxAmount: taxOn(amount, terms.rate), invoiceTerms: terms } : noTax
  }
}

/** The tax on an amount due to a partner, as an approval would fix it now, in SQL. */
export function taxOfDue({ account, invoicing, customerGroups }: PayoutTerms, partnerId: Sql, due: Sql): Sql {
  const untaxed = customerGroups.flatMap(({ id, reward }) => (reward.as === 'money' ? [] : [id]))
  const isUntaxed = sql`exists (select from partners c
    where c.account_id = ${account.id} and c.id = ${partnerId} and c.group_id = any(${untaxed}::uuid[]))`
  return invoicing.enabled && invoicing.vatRate
    ? sql`(case when ${isTaxed(invoicing, account.id, partnerId)} and ${untaxed.length > 0 ? sql`not ${isUntaxed}` : sql`true`} then ${taxOnSql(due, sql`${invoicing.vatRate}`)} else 0 end)`
    : sql`0::bigint`
}

/** Columns of a payout with these values. */
export const taxColumns = ({ taxAmount, invoiceTerms: terms }: Tax): Sql =>
  sql`tax_amount = ${taxAmount}, invoice_terms = ${terms && JSON.stringify(terms)}::jsonb`

/** Returns an amount with its tax such that both add up to `gross`; the whole of it without a rate. */
export function amountWithin(gross: number, terms: InvoiceTerms | null): { amount: number; taxAmount: number } {
  const rate = terms?.rate ?? 0
  const guess = Math.round((gross * 10_000) / (10_000 + Math.round(rate * 100)))
  const amount = [guess, guess - 1, guess + 1].find((one) => one + taxOn(one, rate) === gross)
  return amount === undefined ? { amount: gross, taxAmount: 0 } : { amount, taxAmount: gross - amount }
}
