import { type ReactNode, useState } from 'react'
import { changePartner, deletePartner, type Partner } from '#contract/partners.ts'
import type { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { todayIn } from '../../format.ts'
import { TaxFormDialog } from '../../shared/TaxFormDialog.tsx'
import { useAccount } from '../../shell/current.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDelete } from '../../ui/Dialog.tsx'
import { useDeletion } from '../../ui/dialog-call.ts'
import { ReasonDialog } from '../../ui/ReasonDialog.tsx'
import { explainRefusal, toastRefusal } from '../../ui/refusals.ts'
import { toast } from '../../ui/toasts.ts'
import { labelWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { toastWords } from '../../words/shell.ts'
import { AdjustmentDialog } from './AdjustmentDialog.tsx'
import { ArchiveDialog } from './ArchiveDialog.tsx'

type PartnerAction = 'adjust' | 'taxForm' | 'suspend' | 'archive' | 'delete'
type DialogProps = { partner: Partner; onClose: () => void }

/** The owner's actions on a partner: `start` opens an action's dialog, `dialog` must be rendered by the screen. */
export function usePartnerActions(partner: Partner) {
  const [open, setOpen] = useState<PartnerAction | null>(null)
  const close = () => setOpen(null)
  const { displayName: name, state } = partner
  const today = todayIn(useAccount().timeZone)
  const restoring = useRestore(partner)
  const rare: (Action | false)[] = [
    { label: partnerWords.payoutDetails.recordForm, run: () => setOpen('taxForm') },
    (state === 'active' || state === 'invited') && { label: partnerWords.acts.suspend, run: () => setOpen('suspend') },
    state !== 'archived' && { label: partnerWords.acts.archive, run: () => setOpen('archive') },
    { label: partnerWords.acts.delete, danger: true, run: () => setOpen('delete') },
  ]
  const props = { partner, onClose: close }
  const dialogs: Record<PartnerAction, () => ReactNode> = {
    adjust: () => <AdjustmentDialog {...props} />,
    taxForm: () => <TaxFormDialog {...props} today={today} />,
    suspend: () => <SuspendDialog {...props} onUndo={restoring.now} />,
    archive: () => <ArchiveDialog {...props} />,
    delete: () => <DeleteDialog {...props} onArchive={state === 'archived' ? undefined : () => setOpen('archive')} />,
  }
  return {
    start: setOpen,
    restore: () => restoring.now(() => toast(partnerWords.acts.restoreDone({ name }))),
    restoring: restoring.busy,
    rare: rare.filter((action): action is Action => action !== false),
    dialog: open && dialogs[open](),
  }
}

/** Reactivates a suspended or archived partner; a refusal is shown in a toast. */
function useRestore({ id }: Partner) {
  const change = useCall(changePartner, {
    onError: toastRefusal,
  })
  const now = (onDone?: () => void) =>
    void change
      .send({ params: { id }, body: { state: 'active' } })
      .then(() => onDone?.())
      .catch(() => undefined)
  return { now, busy: change.busy }
}

function SuspendDialog({ partner, onClose, onUndo }: DialogProps & { onUndo: () => void }) {
  const { id, displayName: name } = partner
  const change = useCall(changePartner, {
    onSuccess() {
      onClose()
      toast(partnerWords.acts.suspendDone({ name }), { action: { label: toastWords.undo, run: onUndo } })
    },
  })
  return (
    <ReasonDialog
      heading={partnerWords.acts.suspendHeading}
      confirm={partnerWords.acts.suspend}
      danger
      call={change}
      onClose={onClose}
      onConfirm={(reason) => change.mutate({ params: { id }, body: { state: 'suspended', reason } })}
    >
      {partnerWords.acts.suspendWhy({ name })}
    </ReasonDialog>
  )
}

/** Deletes the partner; if a history prevents that, shows its counts and offers archiving instead. */
function DeleteDialog({ partner, onClose, onArchive }: DialogProps & { onArchive?: () => void }) {
  const { id, displayName } = partner
  const deletion = useDeletion(deletePartner, { id, resource: labelWords.partner, list: { to: '/partners' } })
  return (
    <ConfirmDelete
      {...deletion}
      resource={partnerWords.acts.resource}
      name={displayName}
      explain={explainInUse}
      onClose={onClose}
      instead={onArchive && <Button onClick={onArchive}>{partnerWords.acts.archive}</Button>}
    />
  )
}

const histories = ['leads', 'sales', 'payouts', 'subPartners', 'commissions'] as const

/** Returns 'This partner has 179 leads, 59 sales and 10 payouts. …' */
function explainInUse(error: CallError) {
  if (error.code !== 'in_use') return explainRefusal(error)
  const counts = histories
    .map((kind) => ({ kind, count: Number(error.details[kind] ?? 0) }))
    .filter(({ count }) => count > 0)
  // Entries come with sales, so they are named only if there is nothing else.
  const told = counts.length > 1 ? counts.filter(({ kind }) => kind !== 'commissions') : counts
  const parts = told.map(({ kind, count }) => partnerWords.acts.history[kind]({ count }))
  const list = new Intl.ListFormat('en-US', { style: 'long' }).format(parts)
  return partnerWords.acts.inUse({ history: list })
}
