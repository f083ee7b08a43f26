import { approveForTaxYear } from '#contract/tax-years.ts'
import { useCall } from '../calls.ts'
import { t } from '../words.ts'
import { explainRefusal } from './refusals.ts'
import { toast } from './toasts.ts'

/**
 * Approves partners for a year of payment or takes that back, and offers to undo it. `set` answers whether it was done;
 * what was refused is said in a toast.
 */
export function useYearApproval(accountId: string, year: number) {
  const call = useCall(approveForTaxYear, {
    onError: (error) => toast(explainRefusal(error), { failed: true }),
  })
  const send = (partnerIds: readonly string[], approved: boolean, undoable: boolean): Promise<boolean> =>
    call.send({ params: { id: accountId, year: String(year) }, body: { partnerIds: [...partnerIds], approved } }).then(
      ({ partnerIds: changed }) => {
        const action = { label: t('toast.undo'), run: () => void send(changed, !approved, false) }
        toast(
          t(approved ? 'toast.approvedForYear' : 'toast.unapprovedForYear', { count: changed.length, year }),
          undoable && changed.length > 0 ? { action } : {},
        )
        return true
      },
      () => false,
    )
  return {
    busy: call.busy,
    set: (partnerIds: readonly string[], approved: boolean) => send(partnerIds, approved, true),
  }
}
