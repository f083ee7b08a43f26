import { feature } from '#server/feature.ts'
import { describeEvent } from '#server/integrations/outgoing-webhooks/describe-event.ts'
import { asUuid } from '#server/platform/database/ids.ts'
import type { ActionRequest } from '#server/program/bulk-actions/acts.ts'
import { askedOfCases, openCasesToDecide, releaseCase, voidCase } from './cases.ts'
import { catchUpByNight } from './catch-up.ts'

/** Returns the decision about one of the cases, with what was shown of it. */
function decisionOf({ change, cases = [] }: ActionRequest<'release-cases' | 'void-cases'>, caseId: string) {
  const { id: _, ...shown } = cases.find(({ id }) => asUuid(id) === caseId) ?? { id: caseId }
  return { ...change, shown }
}

export const fraudCases = feature({
  attention: [openCasesToDecide],
  questions: [askedOfCases],
  messages: [
    describeEvent('case.opened', ({ action, findings, decision }) => ({
      facts: [
        ['Found', findings.map(({ evidence }) => evidence).join(' ')],
        ['Action', decision === null ? action : null],
        ['Decision', decision],
      ],
      screen: '/cases',
    })),
  ],
  clocks: { 'catch-up-cases': { cron: '0 * * * *', retryLimit: 3, run: catchUpByNight } },
  bulkActions: {
    'release-cases': ({ tx, by, account }, id, request) =>
      releaseCase(tx, { account, id, by }, decisionOf(request, id)),
    'void-cases': ({ tx, by, account }, id, request) => voidCase(tx, { account, id, by }, decisionOf(request, id)),
  },
})
