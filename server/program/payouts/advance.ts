import type { Services } from '../../platform/services.ts'
import { type AccountFacts, accountFacts } from '../access/account-facts.ts'
import { carry } from './carry.ts'
import { LeaseLost, withLease } from './lease.ts'
import { methodOf } from './methods/registry.ts'
import { isFirm, makeFirm, NotFirm } from './reconciliation/agreement.ts'

type Options = { onStep?: (step: string) => void | Promise<void> }

/**
 * Lets the method advance a payout as far as possible now, one worker at a time. Leaves manual payouts alone, also all
 * payouts of a disabled account, and of one whose ledger may lack past payments. Returns 'busy' while another worker
 * has the payout.
 */
export async function advance(
  services: Services,
  payoutId: string,
  { onStep = () => {} }: Options = {},
): Promise<'busy' | 'done'> {
  const { db, log } = services
  const result = await withLease(db, payoutId, async ({ hold }) => {
    const payout = await db.maybe<{ accountId: string; method: string }>`
      select account_id, method from payouts where id = ${payoutId} and method is not null`
    if (!payout) return
    const method = methodOf(payout.method)
    const account = await db.one<AccountFacts>`
      select ${accountFacts} from accounts a where a.id = ${payout.accountId}`
    if (!method.carrier || account.disabledAt) return
    if (!(await makeFirm(services, account, method))) return
    const holdFirm: typeof hold = (work) =>
      hold(async (tx) => {
        if (!(await isFirm(tx, account.id))) throw new NotFirm(`payouts of account ${account.id} wait`)
        return work(tx)
      })
    try {
      await method.carrier.advance(carry(services, account, payoutId, { method, hold: holdFirm, onStep }))
    } catch (error) {
      if (!(error instanceof LeaseLost) && !(error instanceof NotFirm)) throw error
      log.warn({ payoutId, why: error.message }, 'the work on a payout ended early; it is looked at again')
    }
  })
  return result === 'busy' ? 'busy' : 'done'
}
