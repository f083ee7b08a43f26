import { approveForTaxYear } from '#features/tax-years/contract.ts'
import { useCall } from '../calls.ts'
import { toastRefusal } from '../ui/refusals.ts'
import { showToast } from '../ui/toasts.ts'
import { toastWords } from '../words/shell.ts'

type ApprovalMessage = (approved: boolean, values: { year: number; count: number }) => string

const howMany: ApprovalMessage = (approved, values) =>
  (approved ? toastWords.approvedForYear : toastWords.unapprovedForYear)(values)

/**
 * Approves partners for a year of payment or revokes that, shows a toast and offers to undo it. `set` resolves to
 * whether it was done; a refusal appears in a toast.
 */
export function useYearApproval(accountId: string, told = howMany) {
  const call = useCall(approveForTaxYear, {
    onError: toastRefusal,
  })
  // sends one year only, so that other people's approvals meanwhile are preserved
  const send = (year: number, ids: readonly string[], approved: boolean, undoable: boolean): Promise<boolean> =>
    call.send({ params: { id: accountId, year: String(year) }, body: { partnerIds: [...ids], approved } }).then(
      ({ partnerIds: changed }) => {
        const action = { label: toastWords.undo, run: () => void send(year, changed, !approved, false) }
        showToast(told(approved, { year, count: changed.length }), undoable && changed.length > 0 ? { action } : {})
        return true
      },
      () => false,
    )
  return {
    busy: call.busy,
    set: (year: number, partnerIds: readonly string[], approved: boolean) => send(year, partnerIds, approved, true),
  }
}
