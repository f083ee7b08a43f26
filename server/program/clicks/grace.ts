const GRACE_MS = 30 * 86_400_000

/**
 * Whether the account's visits and leads are recorded: also for 30 days after it is disabled, so that a short pause
 * loses nothing.
 */
export const isRecording = (account: { disabledAt: string | null }, now: Date) =>
  account.disabledAt === null || now.getTime() - Date.parse(account.disabledAt) <= GRACE_MS
