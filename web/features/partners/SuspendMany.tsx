import { startBulkAction } from '#contract/bulk-actions.ts'
import { type Many, startedFrom } from '../../shared/bulk-actions.ts'
import { reasonedAct } from '../../ui/form-act.tsx'
import { partnerWords } from '../../words/partners.ts'

/** Suspends partners in the background. */
export const SuspendMany = reasonedAct(startBulkAction, (many: Many) => ({
  heading: partnerWords.bulk.suspendHeading({ count: many.ids.length }),
  submit: partnerWords.acts.suspend,
  why: partnerWords.bulk.suspendWhy,
  send: ({ reason }) => ({
    params: { id: many.accountId },
    body: { action: 'suspend-partners', ids: many.ids, reason },
  }),
  done: startedFrom(many),
}))
