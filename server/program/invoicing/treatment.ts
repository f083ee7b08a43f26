import type { Treatment } from '#contract/invoices.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { isInEu, listTerritory } from './vat-ids.ts'

/** The facts of an account, and of a partner, that decide the treatment. */
type Taxed = { country: string | null; vatId: string | null }
type TaxedPartner = Taxed & { smallBusiness: boolean }

/**
 * Returns how VAT applies to an invoice that the account issues for its partner; null if none can be issued: their VAT
 * ID is missing.
 */
export function findTreatment(account: Taxed, partner: TaxedPartner): Treatment | null {
  if (account.country === null || partner.country === null) return null
  if (listTerritory(account.country).includes(partner.country)) {
    if (partner.smallBusiness) return 'exempt'
    return partner.vatId === null ? null : 'standard'
  }
  if (!isInEu(account.country) && !isBritish(account.country)) return 'outside-scope'
  if (account.vatId === null) return null
  return partner.vatId !== null || !isInEu(partner.country) ? 'reverse-charge' : null
}

const isBritish = (country: string | null) => country !== null && listTerritory(country)[0] === 'GB'

/** The rate of a treatment in percent. */
export const toVatRate = (treatment: Treatment, { vatRate }: { vatRate: number | null }) =>
  treatment === 'standard' ? (vatRate ?? 0) : 0

/** Returns the tax on an amount, half up. `rate` is in percent with at most two decimals. */
export const taxOn = (amount: number, rate: number): number =>
  Number((BigInt(amount) * BigInt(Math.round(rate * 100)) * 2n + 10_000n) / 20_000n)

/** Like `taxOn`, in SQL. */
export const taxOnSql = (amount: Sql, rate: Sql): Sql =>
  sql`floor((2 * ${amount}::numeric * ${rate}::numeric + 100) / 200)::bigint`

/** Words of a treatment on the document; none for the standard one, whose rate is there. */
export function treatmentWords(treatment: Treatment, { country }: Pick<Taxed, 'country'>): string | null {
  switch (treatment) {
    case 'standard':
      return null
    case 'exempt':
      return 'VAT exempt: small business'
    case 'reverse-charge':
      return isBritish(country) ? 'Reverse charge' : 'Reverse charge (Art. 44 and 196 of Directive 2006/112/EC)'
    case 'outside-scope':
      return 'Outside the scope of VAT'
  }
}
