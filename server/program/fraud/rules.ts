import { type FraudRules, type FraudRulesChange, noFraudRules } from '#contract/fraud.ts'
import { type Author, diffFields } from '../../platform/author.ts'
import { linksChanged } from '../../platform/database/links-changed.ts'
import type { Queryable, Transaction } from '../../platform/database/pool.ts'
import { recordActivity } from '../../platform/events/emit-event.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { blockBookings } from '../access/lock-accounts.ts'

export const toFraudRules = ({ fraudRules }: Pick<AccountFacts, 'fraudRules'>): FraudRules => ({
  ...noFraudRules,
  ...fraudRules,
})

const readRules = async (db: Queryable, accountId: string) =>
  toFraudRules(await db.one<Pick<AccountFacts, 'fraudRules'>>`select fraud_rules from accounts where id = ${accountId}`)

export const getFraudRules = readRules

/** Saves some of the rules, for sales that are booked from now on; the others stay. */
export async function saveFraudRules(
  tx: Transaction,
  by: Author,
  accountId: string,
  change: FraudRulesChange,
): Promise<FraudRules> {
  await blockBookings(tx, accountId)
  const before = await readRules(tx, accountId)
  const rules = { ...before, ...change }
  const next = {
    ...rules,
    paidAds: { ...rules.paidAds, campaigns: unique(rules.paidAds.campaigns) },
    bannedReferrer: { ...rules.bannedReferrer, hosts: unique(rules.bannedReferrer.hosts) },
  }
  await tx.run`
    update accounts set fraud_rules = ${JSON.stringify(next)}::jsonb, updated_at = ${tx.now} where id = ${accountId}`
  const changes = diffFields(before, next)
  if (Object.keys(changes).length === 0) return next
  // redirects already recognize the account's own campaigns
  await linksChanged(tx, accountId)
  await recordActivity(tx, by, accountId, 'account.fraud-rules-updated', { id: accountId, changes })
  return next
}

const unique = (values: string[]) => [...new Set(values)]
