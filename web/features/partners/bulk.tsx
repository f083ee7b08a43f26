import { type ReactNode, useState } from 'react'
import { retryInvitation } from '#contract/auth.ts'
import { changePartner, type Partner, type PartnerChange } from '#contract/partners.ts'
import { MOST_APPROVED_FOR_YEAR } from '#contract/tax-rules.ts'
import { useCall, useRefresh } from '../../calls.ts'
import { todayIn, yearOf } from '../../format.ts'
import type { Selection } from '../../lists/selection.ts'
import { useYearApproval } from '../../shared/useYearApproval.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Refused } from '../../ui/Refused.tsx'
import { toast } from '../../ui/toasts.ts'
import { type Outcome, useEach } from '../../ui/useEach.ts'
import { formWords } from '../../words/forms.ts'
import { partnerWords } from '../../words/partners.ts'
import { pieceWords } from '../../words/pieces.ts'
import { toastWords } from '../../words/shell.ts'
import styles from './Partners.module.css'

const ReasonDialog = lazyPart(async () => (await import('../../ui/ReasonDialog.tsx')).ReasonDialog)

/** The confirming dialog closes before the work starts, so it is never busy. */
const nothingUnderWay = { busy: false, error: null, saved: { current: true } }

/** The owner's actions on several partners at once: `buttons` go into the table's bar, `dialog` into the screen. */
export function useBulkActions(selection: Selection<Partner>): { buttons: ReactNode; dialog: ReactNode } {
  const refresh = useRefresh()
  const each = useEach()
  const change = useCall(changePartner, { oneOfMany: true })
  const retry = useCall(retryInvitation, { oneOfMany: true })
  const [asking, setAsking] = useState(false)
  const [refused, setRefused] = useState<Outcome<Partner>['refused']>([])
  const { id: accountId, timeZone } = useAccount()
  const year = yearOf(todayIn(timeZone))
  const approval = useYearApproval(accountId)

  const { rows } = selection
  const unapproved = rows.filter(({ approvedPayoutYears }) => !approvedPayoutYears?.includes(year))
  const uninvited = rows.filter(({ invitationStatus }) => invitationStatus !== 'accepted')
  const earning = rows.filter(({ state }) => state === 'active' || state === 'invited')

  /** Deselects the partners it succeeded for, so that the others can be retried. */
  async function forAll(some: readonly Partner[], work: (partner: Partner) => Promise<unknown>) {
    const { done, refused } = await each.run(some, work)
    selection.set(done, false)
    setRefused(refused)
    void refresh()
    return done
  }
  const changeAll = (some: readonly Partner[], body: (partner: Partner) => PartnerChange) =>
    forAll(some, (partner) => change.send({ params: { id: partner.id }, body: body(partner) }))

  async function approve() {
    const some = unapproved.slice(0, MOST_APPROVED_FOR_YEAR)
    const ids = some.map(({ id }) => id)
    if (await approval.set(year, ids, true)) selection.set(some, false)
  }

  async function invite() {
    const count = { newLinks: 0, invited: 0, kept: 0 }
    await forAll(uninvited, async ({ id }) => {
      const { url, mailed } = await retry.send({ params: { id } })
      count[url ? 'newLinks' : mailed ? 'invited' : 'kept']++
    })
    for (const what of ['newLinks', 'invited', 'kept'] as const)
      if (count[what] > 0) toast(partnerWords.bulk[what]({ count: count[what] }))
  }

  async function suspend(reason: string) {
    setAsking(false)
    const done = await changeAll(earning, () => ({ state: 'suspended', reason }))
    const run = async () => {
      const back = await changeAll(done, () => ({ state: 'active' }))
      toast(partnerWords.bulk.restored({ count: back.length }))
    }
    if (done.length > 0)
      toast(partnerWords.bulk.suspended({ count: done.length }), { action: { label: toastWords.undo, run } })
  }

  const buttons = each.progress ? (
    <>
      <span className={styles.bulkProgress}>
        <ProgressBar label={partnerWords.bulk.running} {...each.progress} />
      </span>
      {pieceWords.progress.of(each.progress)}
      <Button small onClick={each.cancel}>
        {formWords.cancel}
      </Button>
    </>
  ) : (
    <>
      <ReasonDialog.OnUse />
      <Button
        small
        busy={approval.busy}
        cannot={unapproved.length === 0 && partnerWords.bulk.allApproved({ year })}
        onClick={approve}
      >
        {partnerWords.bulk.approve({ year })}
      </Button>
      <Button small cannot={uninvited.length === 0 && partnerWords.bulk.allJoined} onClick={invite}>
        {partnerWords.invite.resend}
      </Button>
      <Button
        small
        look="remove"
        cannot={earning.length === 0 && partnerWords.bulk.noneEarns}
        onClick={() => setAsking(true)}
      >
        {partnerWords.acts.suspend}
      </Button>
    </>
  )
  const dialog = asking ? (
    <ReasonDialog
      heading={partnerWords.bulk.suspendHeading({ count: earning.length })}
      confirm={partnerWords.acts.suspend}
      danger
      call={nothingUnderWay}
      onClose={() => setAsking(false)}
      onConfirm={suspend}
    >
      {partnerWords.bulk.suspendWhy}
    </ReasonDialog>
  ) : refused.length > 0 ? (
    <Refused
      heading={partnerWords.bulk.refused({ count: refused.length })}
      refused={refused.map(({ row, error }) => ({ key: row.id, name: row.displayName, error }))}
      onClose={() => setRefused([])}
    />
  ) : null
  return { buttons, dialog }
}
