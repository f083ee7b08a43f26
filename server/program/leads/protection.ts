import type { AccountFacts } from '../access/account-facts.ts'

const DAY_MS = 86_400_000

/** Until when a lead of this moment is protected; null without end, where the account says 0 days. */
export const protectedFrom = ({ leadProtectionDays }: Pick<AccountFacts, 'leadProtectionDays'>, from: Date) =>
  leadProtectionDays === 0 ? null : new Date(from.getTime() + leadProtectionDays * DAY_MS).toISOString()
