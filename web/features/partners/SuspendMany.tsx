import { startBulkAction } from '#contract/bulk-actions.ts'
import { follow } from '../../shared/bulk-actions.ts'
import { reasonedAct } from '../../ui/form-act.tsx'
import { partnerWords } from '../../words/partners.ts'

type Many = { accountId: string; ids: string[]; onStarted: () => void }

/** Suspends partners in the background. */
export const SuspendMany = reasonedAct(startBulkAction, ({ accountId, ids, onStarted }: Many) => ({
  heading: partnerWords.bulk.suspendHeading({ count: ids.length }),
  submit: partnerWords.acts.suspend,
  why: partnerWords.bulk.suspendWhy,
  danger: true,
  send: ({ reason }) => ({ params: { id: accountId }, body: { action: 'suspend-partners', ids, reason } }),
  done({ id, action }) {
    follow({ id, accountId, action, ids })
    onStarted()
  },
}))
