import { FIRST_TAX_YEAR, legalThreshold } from '#contract/tax-rules.ts'
import type { Author } from '#server/platform/author.ts'
import type { Queryable, Transaction } from '#server/platform/database/pool.ts'
import { recordActivity } from '#server/platform/events/emit-event.ts'
import { wrongField } from '#server/platform/refusal.ts'
import { yearIn } from '#server/platform/time/days.ts'
import type { AccountFacts } from '#server/program/access/account-facts.ts'
import type { TaxYearTerms } from '../contract.ts'
import { findThreshold, lockThresholds, saveThreshold } from './queries.ts'

/** Parses the year in a path. Refuses: an invalid one, one before 2000 or after next year. */
export function readYear(text: string, { timeZone }: AccountFacts, now: Date): number {
  const latest = yearIn(timeZone, now) + 1
  const year = /^\d{4}$/.test(text) ? Number(text) : 0
  if (year < FIRST_TAX_YEAR || year > latest)
    throw wrongField('year', 'tax_year_wrong', { first: FIRST_TAX_YEAR, latest })
  return year
}

/** Returns the amount from which a partner is over the threshold of a year. */
export async function termsOfYear(db: Queryable, account: AccountFacts, year: number): Promise<TaxYearTerms> {
  const currency = account.defaultCurrency
  const legal = legalThreshold(currency, year)
  const own = await findThreshold(db, account.id, year)
  return { year, currency, threshold: own ?? legal, legalThreshold: legal }
}

/** Sets the account's own threshold for a year, or removes it, so that the legal one applies. */
export async function changeThreshold(
  tx: Transaction,
  by: Author,
  account: AccountFacts,
  year: number,
  threshold: number | null,
): Promise<TaxYearTerms> {
  await lockThresholds(tx, account.id)
  const before = await findThreshold(tx, account.id, year)
  if (threshold !== before) {
    await saveThreshold(tx, account.id, year, threshold)
    const changes = { taxYear: { old: null, new: year }, taxThreshold: { old: before, new: threshold } }
    await recordActivity(tx, by, account.id, 'account.updated', { id: account.id, changes })
  }
  return termsOfYear(tx, account, year)
}
