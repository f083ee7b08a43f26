import { howPaidInWords } from '#contract/how-paid.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { offeredKinds } from './chosen-method.ts'
import { getPayoutTerms, type PayoutTerms } from './payout-terms.ts'

/** Returns in sentences how the account pays its partners: on the program page, in the portal and in mails. */
export const howPaid = async (db: Queryable, account: AccountFacts) => howPaidBy(await getPayoutTerms(db, account))

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
