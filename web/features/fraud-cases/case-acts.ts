import {
  askPartnerAboutCase,
  type FraudCase,
  releaseCase,
  suspendPartnerForCase,
  voidCase,
} from '#contract/fraud-cases.ts'
import { lazyActions } from '../../ui/late-acts.tsx'
import { caseWords as words } from '../../words/fraud-cases.ts'

const isOpen = ({ state }: FraudCase) => state === 'open'

/** The acts on an open case. */
export const caseActs = Object.values(
  lazyActions(async () => (await import('./CaseActs.tsx')).caseDialogs, {
    release: { label: words.release.action, needs: releaseCase, when: isOpen },
    ask: { label: words.ask.action, needs: askPartnerAboutCase, when: (one) => isOpen(one) && one.question === null },
    suspend: {
      label: words.suspend.action,
      needs: suspendPartnerForCase,
      when: (one) => isOpen(one) && one.partnerState === 'active',
      danger: true,
    },
    void: {
      label: ({ subject }) => (subject === 'sale' ? words.void.action : words.void.actionMany),
      needs: voidCase,
      when: (one) => isOpen(one) && (one.subject === 'sale' || one.action === 'hold'),
      danger: true,
    },
  }),
)
