import { archivePartner, changePartner, createPartner, deletePartner, type Partner } from '#contract/partners.ts'
import { getPayoutMethods } from '#contract/payout-settings.ts'
import { approveForTaxYear } from '#contract/tax-years.ts'
import type { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { todayIn } from '../../format.ts'
import { personActions } from '../../shared/erase-person.tsx'
import { TaxForm } from '../../shared/TaxForm.tsx'
import { useAccount } from '../../shell/current.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { deletion } from '../../ui/act.tsx'
import { Button } from '../../ui/Button.tsx'
import { reasonedAct } from '../../ui/form-act.tsx'
import { explainRefusal, toastRefusal } from '../../ui/refusals.ts'
import { toast } from '../../ui/toasts.ts'
import { useActs } from '../../ui/useActs.tsx'
import { labelWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { toastWords } from '../../words/shell.ts'
import { wayWords } from '../../words/ways-to-pay.ts'
import { Adjustment } from './Adjustment.tsx'
import { Archive } from './Archive.tsx'
import { PayBy } from './PayBy.tsx'

/** The owner's actions on a partner; the screen must render `dialog`. */
export function usePartnerActions(partner: Partner) {
  const { start, dialog } = useActs()
  const { displayName: name, state } = partner
  const today = todayIn(useAccount().timeZone)
  const restoring = useRestore(partner)
  const archive = state !== 'archived' && (() => start(Archive, partner))
  const rare: (Action | false)[] = [
    {
      label: partnerWords.payoutDetails.recordForm,
      needs: approveForTaxYear,
      run: () => start(TaxForm, { ...partner, today }),
    },
    { label: wayWords.payBy.heading, needs: getPayoutMethods, run: () => start(PayBy, partner) },
    (state === 'active' || state === 'invited') && {
      label: partnerWords.acts.suspend,
      needs: createPartner,
      run: () => start(Suspension, partner),
    },
    archive && { label: partnerWords.acts.archive, needs: archivePartner, run: archive },
    ...personActions('partner', partner, start),
    {
      label: partnerWords.acts.delete,
      needs: deletePartner,
      danger: true,
      run: () => start(Delete, { ...partner, archive }),
    },
  ]
  return {
    adjust: () => start(Adjustment, partner),
    restore: () => restoring.now(() => toast(partnerWords.acts.restoreDone({ name }))),
    restoring: restoring.busy,
    rare:
      partner.erasedAt === null
        ? rare.filter((action): action is Action => action !== false)
        : personActions('partner', partner, start),
    dialog,
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

const Suspension = reasonedAct(changePartner, (partner: Partner) => {
  const { id, displayName: name } = partner
  const restoring = useRestore(partner)
  return {
    heading: partnerWords.acts.suspendHeading,
    submit: partnerWords.acts.suspend,
    why: partnerWords.acts.suspendWhy({ name }),
    danger: true,
    done: () =>
      toast(partnerWords.acts.suspendDone({ name }), {
        action: { label: toastWords.undo, run: () => restoring.now() },
      }),
    send: (body) => ({ params: { id }, body: { state: 'suspended', ...body } }),
  }
})

/** Deletes the partner; if a history prevents that, shows its counts and offers archiving instead. */
const Delete = deletion(deletePartner, ({ displayName, archive }: Partner & { archive: (() => void) | false }) => ({
  name: displayName,
  resource: labelWords.partner,
  thing: partnerWords.acts.resource,
  list: { to: '/partners' },
  explain: explainInUse,
  instead: archive && <Button onClick={archive}>{partnerWords.acts.archive}</Button>,
}))

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
