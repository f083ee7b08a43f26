const GRACE_MS = 30 * 86_400_000

/** A disabled account's visits and leads are recorded for 30 days more, so that nothing is lost by a short pause. */
export const isRecording = (account: { disabledAt: string | null }, now: Date) =>
  account.disabledAt === null || now.getTime() - Date.parse(account.disabledAt) <= GRACE_MS
