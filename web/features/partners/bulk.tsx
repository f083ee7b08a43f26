import type { ReactNode } from 'react'
import { sendAnnouncement } from '#contract/announcements.ts'
import { createPartner, movePartners, type Partner } from '#contract/partners.ts'
import { MOST_APPROVED_FOR_YEAR } from '#contract/tax-rules.ts'
import { approveForTaxYear } from '#contract/tax-years.ts'
import { changePartnerTerms } from '#contract/terms.ts'
import { todayIn, yearOf } from '../../format.ts'
import type { Selection } from '../../lists/selection.ts'
import { useBulkAction } from '../../shared/bulk-actions.ts'
import type { GroupChoices } from '../../shared/groups.ts'
import { useYearApproval } from '../../shared/useYearApproval.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { toastRefusal } from '../../ui/refusals.ts'
import { useActs } from '../../ui/useActs.tsx'
import { announcementWords } from '../../words/announcements.ts'
import { groupWords } from '../../words/groups.ts'
import { partnerWords } from '../../words/partners.ts'

const Announce = lazyPart(async () => (await import('../../shared/Announce.tsx')).Announce)
const ChangeRatesOfMany = lazyPart(async () => (await import('./ChangeRatesOfMany.tsx')).ChangeRatesOfMany)
const MoveMany = lazyPart(async () => (await import('./MoveMany.tsx')).MoveMany)
const SuspendMany = lazyPart(async () => (await import('./SuspendMany.tsx')).SuspendMany)

/** The owner's actions on several partners at once: `buttons` go into the table's bar, `dialog` into the screen. */
export function useBulkActions(
  selection: Selection<Partner>,
  groups: GroupChoices,
): { buttons: ReactNode; dialog: ReactNode } {
  const { start, dialog } = useActs()
  const { id: accountId, timeZone } = useAccount()
  const year = yearOf(todayIn(timeZone))
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

  const buttons = (
    <>
      <Announce.OnUse />
      <SuspendMany.OnUse />
      <MoveMany.OnUse />
      <ChangeRatesOfMany.OnUse />
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
      <Button
        small
        needs={sendAnnouncement}
        cannot={active.length === 0 && announcementWords.noneActive}
        onClick={() => start(Announce, { accountId, ids: idsOf(active), onSent: selection.clear })}
      >
        {announcementWords.announce}
      </Button>
      {groups.length > 0 && (
        <Button small needs={movePartners} onClick={() => start(MoveMany, { ...many(rows), groups })}>
          {groupWords.move}
        </Button>
      )}
      <Button
        small
        needs={changePartnerTerms}
        onClick={() => start(ChangeRatesOfMany, { ...many(rows), grouped: groups.length > 0 })}
      >
        {partnerWords.bulk.rates}
      </Button>
      <Button
        small
        needs={createPartner}
        look="remove"
        cannot={earning.length === 0 && partnerWords.bulk.noneEarns}
        onClick={() => start(SuspendMany, many(earning))}
      >
        {partnerWords.acts.suspend}
      </Button>
    </>
  )
  return { buttons, dialog }
}

const idsOf = (partners: readonly Partner[]) => partners.map(({ id }) => id)
