import { formatList } from '#contract/format.ts'
import { changePartner, createPartner, deletePartner, type Partner } from '#contract/partners.ts'
import type { CallError } from '../../api.ts'
import { useCall } from '../../calls.ts'
import { todayIn } from '../../format.ts'
import { personActions } from '../../shared/erase-person.tsx'
import { TaxForm } from '../../shared/TaxForm.tsx'
import { useAccount } from '../../shell/current.ts'
import { defineDelete } from '../../ui/act.tsx'
import { type Entry, exposeAction, useStart } from '../../ui/actions.tsx'
import { Button } from '../../ui/Button.tsx'
import { reasonedAct } from '../../ui/form-act.tsx'
import { ActButton, toMenuItems } from '../../ui/offers.tsx'
import { explainRefusal, toastRefusal } from '../../ui/refusals.ts'
import { showToast } from '../../ui/toasts.ts'
import { labelWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { toastWords } from '../../words/shell.ts'
import { Archive } from './Archive.tsx'
import { PayBy } from './PayBy.tsx'

/** Returns the owner's rare actions on a partner. */
export function usePartnerMenu(partner: Partner): Entry<Partner>[] {
  const start = useStart()
  const today = todayIn(useAccount().timeZone)
  const person = personActions('partner', partner)
  if (partner.erasedAt !== null) return person
  return [...toMenuItems({ ...partner, today }, [TaxForm], start), PayBy, Suspension, Archive, ...person, Delete]
}

/** Reactivates a suspended or archived partner. */
export function Restore({ partner }: { partner: Partner }) {
  const { now, busy } = useRestore(partner)
  const done = () => showToast(partnerWords.acts.restoreDone({ name: partner.displayName }))
  return (
    <Button needs={createPartner} busy={busy} onClick={() => now(done)}>
      {partnerWords.acts.restore}
    </Button>
  )
}

/** A refusal is shown in a toast. */
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

const Suspension = exposeAction(
  reasonedAct(changePartner, (partner: Partner) => {
    const { id, displayName: name } = partner
    const restoring = useRestore(partner)
    return {
      heading: partnerWords.acts.suspendHeading,
      submit: partnerWords.acts.suspend,
      why: partnerWords.acts.suspendWhy({ name }),
      done: () =>
        showToast(partnerWords.acts.suspendDone({ name }), {
          action: { label: toastWords.undo, run: () => restoring.now() },
        }),
      send: (body) => ({ params: { id }, body: { state: 'suspended', ...body } }),
    }
  }),
  {
    label: partnerWords.acts.suspend,
    needs: createPartner,
    when: ({ state }) => state === 'active' || state === 'invited',
    danger: true,
  },
)

/** Deletes the partner; if a history prevents that, shows its counts and offers archiving instead. */
const Delete = exposeAction(
  defineDelete(deletePartner, (partner: Partner) => ({
    name: partner.displayName,
    resource: labelWords.partner,
    thing: partnerWords.acts.resource,
    list: { to: '/partners' },
    explain: explainInUse,
    instead: <ActButton act={Archive} of={partner} />,
  })),
  { label: partnerWords.acts.delete },
)

const histories = ['leads', 'sales', 'payouts', 'subPartners', 'commissions'] as const

/** Returns 'This partner has 179 leads, 59 sales and 10 payouts. …' */
function explainInUse(error: CallError) {
  if (error.code !== 'in_use') return explainRefusal(error)
  const counts = histories
    .map((kind) => ({ kind, count: Number(error.details[kind] ?? 0) }))
    .filter(({ count }) => count > 0)
  // Entries come with sales, so they are named only if there is nothing else.
  const named = counts.length > 1 ? counts.filter(({ kind }) => kind !== 'commissions') : counts
  const parts = named.map(({ kind, count }) => partnerWords.acts.history[kind]({ count }))
  const list = formatList(parts)
  return partnerWords.acts.inUse({ history: list })
}
