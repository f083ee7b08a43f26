import type { BlueprintFacts, CodeOwner } from './queries.ts'

/** Returns why a visit credits no partner; undefined if it credits the owner of the code. */
export function obstacleTo(
  { live, accountDisabledAt }: Pick<BlueprintFacts, 'live' | 'accountDisabledAt'>,
  owner: CodeOwner | undefined,
  now: Date,
) {
  if (!live) return 'the blueprint is disabled'
  if (!owner) return 'the code is unknown'
  if (!owner.creditable) return 'the partner is suspended or archived'
  if (!isRecording({ disabledAt: accountDisabledAt }, now)) return 'the account is disabled'
  return undefined
}

const GRACE_MS = 30 * 86_400_000

/**
 * Whether the account's visits and leads are recorded: also for 30 days after it is disabled, so that a short pause
 * loses nothing.
 */
export const isRecording = (account: { disabledAt: string | null }, now: Date) =>
  account.disabledAt === null || now.getTime() - Date.parse(account.disabledAt) <= GRACE_MS
