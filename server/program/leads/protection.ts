import type { AccountFacts } from '../access/account-facts.ts'

const DAY_MS = 86_400_000

/** Returns the end of protection for a lead of this time; null (no end) if the account sets 0 days. */
export const protectedFrom = ({ leadProtectionDays }: Pick<AccountFacts, 'leadProtectionDays'>, from: Date) =>
  leadProtectionDays === 0 ? null : new Date(from.getTime() + leadProtectionDays * DAY_MS).toISOString()
