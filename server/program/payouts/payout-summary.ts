import { howPaidInWords } from '#contract/how-paid.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { offeredKinds } from './chosen-method.ts'
import { getPayoutTerms, type PayoutTerms } from './payout-terms.ts'

/**
 * Reads how the account pays its partners, for the program page, the portal and mails. Returns what says it in sentences,
 * in the language of the moment.
 */
export async function howPaid(db: Queryable, account: AccountFacts) {
  const terms = await getPayoutTerms(db, account)
  return () => howPaidBy(terms)
}

export function howPaidBy(terms: Pick<PayoutTerms, 'account' | 'ways'>): string[] {
  const { ways } = terms
  const { paydays, payoutDelay, minimumPayout, defaultCurrency: currency } = terms.account
  return howPaidInWords({
    // a person may pay by any means
    kinds: ways.length > 0 ? offeredKinds(terms) : [],
    automatic: ways.some(({ automatic }) => automatic),
    paydays,
    payoutDelay,
    minimumPayout,
    currency,
  })
}
