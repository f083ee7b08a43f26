import type { Logger } from 'pino'
import { Tally } from '../metric.ts'

/** Failures of single accounts' work, by task, since this process started. */
export const failuresAlone = new Tally()

/** Works for one account after the other; a failure is logged and counted, and does not stop others. */
export async function forEachIsolated<T extends { id: string }>(
  log: Logger,
  name: string,
  accounts: T[],
  work: (account: T) => Promise<unknown>,
): Promise<void> {
  for (const account of accounts)
    try {
      await work(account)
    } catch (error) {
      failuresAlone.add(name)
      log.error(
        { clock: name, accountId: account.id, err: error },
        'a scheduled task failed for an account; it runs again at its next time',
      )
    }
}
