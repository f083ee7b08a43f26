import type { Logger } from 'pino'
import { Tally } from '../measure.ts'

/** How often the work of one account failed beside the others', by what was being done, since this process started. */
export const failuresAlone = new Tally()

/** Works for one account after the other; what fails for one is logged and counted, and stops no other. */
export async function eachAlone<T extends { id: string }>(
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
