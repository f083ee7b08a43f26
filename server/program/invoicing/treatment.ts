import type { Treatment } from '#contract/invoices.ts'
import { type Sql, sql } from '../../platform/database/sql.ts'
import { treatmentPhrases as phrases } from './text.ts'
import { isInEu, listTerritory } from './vat-ids.ts'

/** The facts of an account, and of a partner, that decide the treatment. */
type Taxed = { country: string | null; vatId: string | null }
type TaxedPartner = Taxed & { taxNumber: string | null; smallBusiness: boolean }

/**
 * Returns how VAT applies to an invoice that the account issues for its partner; null if none can be issued: their VAT
 * ID is missing, or in Germany both it and their tax number.
 */
export function findTreatment(account: Taxed, partner: TaxedPartner): Treatment | null {
  if (account.country === null || partner.country === null) return null
  if (listTerritory(account.country).includes(partner.country)) {
    const isNumbered = partner.vatId !== null || (acceptsTaxNumber(account.country) && partner.taxNumber !== null)
    if (partner.smallBusiness) return isNumbered || !acceptsTaxNumber(account.country) ? 'exempt' : null
    return isNumbered ? 'standard' : null
  }
  if (!isInEu(account.country) && !isBritish(account.country)) return 'outside-scope'
  if (account.vatId === null) return null
  return partner.vatId !== null || !isInEu(partner.country) ? 'reverse-charge' : null
}

/** Whether an invoice of this country needs the seller's tax number or VAT ID, and either is enough. */
export const acceptsTaxNumber = (country: string | null) => country === 'DE'

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

/** Words of a treatment on the document, in the current language; none for the standard one, whose rate is there. */
export function treatmentWords(treatment: Treatment, { country }: Pick<Taxed, 'country'>): string | null {
  switch (treatment) {
    case 'standard':
      return null
    case 'exempt':
      return phrases.exempt
    case 'reverse-charge':
      return isBritish(country) ? phrases.reverseCharge : phrases.reverseChargeInEu
    case 'outside-scope':
      return phrases.outsideScope
  }
}
