import { type ReactNode, useState } from 'react'
import { cancelPayout, type Payout, retryPayout } from '#contract/payouts.ts'
import { Confirm } from '../../ui/Dialog.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { later } from '../../ui/later.tsx'
import { t } from '../../words.ts'
import { ReviewApproval } from './ReviewApproval.tsx'
import { type Act, actLabel, wordsOf } from './words.ts'

const MarkPaid = later(async () => (await import('./MarkPaid.tsx')).MarkPaid)

/** Returns the acts that the payout's status allows; a blocked one can be approved once its blockers are gone. */
export function actsOf({ status, method }: Pick<Payout, 'status' | 'method'>): Act[] {
  const byHand = status === 'approved' && method !== 'wise'
  // a person with the file may have paid it anyway
  const leftInFile = status === 'canceled' && method === 'csv'
  return [
    ...(status === 'due' ? (['approve'] as const) : []),
    ...(['failed', 'awaiting-funding'].includes(status) ? (['retry'] as const) : []),
    ...(['open', 'due', 'failed'].includes(status) || byHand || leftInFile ? (['markPaid'] as const) : []),
    ...(['approved', 'awaiting-funding', 'failed'].includes(status) ? (['cancel'] as const) : []),
  ]
}

/** Returns why an act that the status allows is refused: a suspended partner is paid by no method. */
export const whyNot = (act: Act, { blockers }: Pick<Payout, 'blockers'>) =>
  act === 'markPaid' && blockers.find(({ code }) => code === 'partner-disabled')?.message

/** Opens an act's dialog; the screen must render `dialog`. */
export function useActs({ accountId, timeZone }: { accountId: string; timeZone: string }) {
  const [open, setOpen] = useState<{ act: Act; payout: Payout } | null>(null)
  const close = () => setOpen(null)
  return {
    start: (act: Act, payout: Payout) => setOpen({ act, payout }),
    dialog: (
      <>
        <MarkPaid.OnUse />
        {open && dialogOf(open.act, { payout: open.payout, accountId, timeZone, onClose: close })}
      </>
    ),
  }
}

type ActProps = { payout: Payout; accountId: string; timeZone: string; onClose: () => void }

function dialogOf(act: Act, props: ActProps): ReactNode {
  switch (act) {
    case 'approve':
      return <ReviewApproval accountId={props.accountId} payouts={[props.payout]} onClose={props.onClose} />
    case 'retry':
      return <Retry {...props} />
    case 'cancel':
      return <Cancel {...props} />
    case 'markPaid':
      return <MarkPaid {...props} />
  }
}

function Retry({ payout, onClose }: ActProps) {
  const words = wordsOf(payout)
  const call = useDialogCall(retryPayout, { done: t('payouts.retry.done', words), onClose })
  return (
    <Confirm
      heading={actLabel('retry')}
      confirm={actLabel('retry')}
      call={call}
      onConfirm={() => call.mutate({ params: { id: payout.id } })}
      onClose={onClose}
    >
      {t(payout.status === 'failed' ? 'payouts.retry.text' : 'payouts.retry.funding', words)}
    </Confirm>
  )
}

function Cancel({ payout, onClose }: ActProps) {
  const words = wordsOf(payout)
  const call = useDialogCall(cancelPayout, { done: t('payouts.cancel.done', words), onClose })
  return (
    <Confirm
      heading={actLabel('cancel')}
      confirm={actLabel('cancel')}
      keep={t('payouts.cancel.keep')}
      danger
      call={call}
      onConfirm={() => call.mutate({ params: { id: payout.id } })}
      onClose={onClose}
    >
      {t('payouts.cancel.text', words)} {payout.status === 'awaiting-funding' && t('payouts.cancel.atWise')}
      {payout.method === 'csv' && payout.status === 'approved' && t('payouts.cancel.inBatch')}
    </Confirm>
  )
}
