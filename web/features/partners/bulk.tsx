import { createPartner, movePartners, type Partner } from '#contract/partners.ts'
import { MOST_APPROVED_FOR_YEAR } from '#contract/tax-rules.ts'
import { changePartnerTerms } from '#contract/terms.ts'
import { approveForTaxYear } from '#features/tax-years/contract.ts'
import { todayIn, toYear } from '../../format.ts'
import type { Selection } from '../../lists/selection.ts'
import { announce } from '../../shared/announce-act.ts'
import { useBulkAction } from '../../shared/bulk-actions.ts'
import type { GroupChoices } from '../../shared/groups.ts'
import { useYearApproval } from '../../shared/useYearApproval.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { lateAct } from '../../ui/late-acts.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { toastRefusal } from '../../ui/refusals.ts'
import { announcementWords } from '../../words/announcements.ts'
import { groupWords } from '../../words/groups.ts'
import { partnerWords } from '../../words/partners.ts'

const changeRates = lateAct(async () => (await import('./ChangeRatesOfMany.tsx')).ChangeRatesOfMany, {
  label: partnerWords.bulk.rates,
  needs: changePartnerTerms,
})
const move = lateAct(async () => (await import('./MoveMany.tsx')).MoveMany, {
  label: groupWords.move,
  needs: movePartners,
  when: ({ groups }) => groups.length > 0,
})
const suspend = lateAct(async () => (await import('./SuspendMany.tsx')).SuspendMany, {
  label: partnerWords.acts.suspend,
  needs: createPartner,
  cannot: ({ ids }) => ids.length === 0 && partnerWords.bulk.noneEarns,
  danger: true,
})

type Props = { selection: Selection<Partner>; groups: GroupChoices }

/** The owner's actions on several partners at once, for the table's bar. */
export function BulkActs({ selection, groups }: Props) {
  const { id: accountId, timeZone } = useAccount()
  const year = toYear(todayIn(timeZone))
  const approval = useYearApproval(accountId)
  const inviting = useBulkAction(accountId, { onStarted: selection.clear, onError: toastRefusal })

  const { rows } = selection
  const unapproved = rows.filter(({ approvedPayoutYears }) => !approvedPayoutYears?.includes(year))
  const uninvited = rows.filter(({ invitationStatus }) => invitationStatus !== 'accepted')
  const active = rows.filter(({ state }) => state === 'active')
  const earning = rows.filter(({ state }) => state === 'active' || state === 'invited')

  const many = (some: Partner[]) => ({ accountId, ids: idsOf(some), onStarted: selection.clear })

  async function approve() {
    const some = unapproved.slice(0, MOST_APPROVED_FOR_YEAR)
    if (await approval.set(year, idsOf(some), true)) selection.set(some, false)
  }

  return (
    <>
      <Button
        small
        needs={approveForTaxYear}
        busy={approval.busy}
        cannot={unapproved.length === 0 && partnerWords.bulk.allApproved({ year })}
        onClick={approve}
      >
        {partnerWords.bulk.approve({ year })}
      </Button>
      <Button
        small
        needs={createPartner}
        busy={inviting.busy}
        cannot={uninvited.length === 0 && partnerWords.bulk.allJoined}
        onClick={() => inviting.start({ action: 'invite-partners', ids: idsOf(uninvited) })}
      >
        {partnerWords.invite.resend}
      </Button>
      <ActButton
        small
        act={announce}
        cannot={active.length === 0 && announcementWords.noneActive}
        of={{ accountId, ids: idsOf(active), onSent: selection.clear }}
      />
      <ActButton small act={move} of={{ ...many(rows), groups }} />
      <ActButton small act={changeRates} of={{ ...many(rows), grouped: groups.length > 0 }} />
      <ActButton small look="remove" act={suspend} of={many(earning)} />
    </>
  )
}

const idsOf = (partners: readonly Partner[]) => partners.map(({ id }) => id)
