import { decideApplications, MOST_DECIDED } from '#contract/applications.ts'
import { lazyActions } from '../../ui/late-acts.tsx'
import { applicationWords as words } from '../../words/applications.ts'
import { canApprove, canReject } from './names.ts'

const tooMany = words.tooMany({ max: MOST_DECIDED })

/** The decisions on applications, one or several at once. */
export const { approve, reject } = lazyActions(async () => (await import('./decide.tsx')).decisions, {
  approve: {
    label: words.approve,
    needs: decideApplications,
    when: ({ applications }) => applications.every(canApprove),
    cannot: ({ applications: { length } }) => length > MOST_DECIDED && tooMany,
  },
  reject: {
    label: words.reject,
    needs: decideApplications,
    when: ({ applications }) => applications.every(canReject),
    cannot: ({ applications: { length } }) => (length === 0 ? words.noneWaits : length > MOST_DECIDED && tooMany),
    danger: true,
  },
})
