import { askPartnerAboutCase, type FraudCase, releaseCase, suspendPartnerForCase, voidCase } from '#contract/cases.ts'
import { lateActs } from '../../ui/late-acts.tsx'
import { caseWords as words } from '../../words/cases.ts'

const isOpen = ({ state }: FraudCase) => state === 'open'

/** The acts on an open case. */
export const caseActs = Object.values(
  lateActs(async () => (await import('./CaseActs.tsx')).caseDialogs, {
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
