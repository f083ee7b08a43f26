import { lazyActions } from '#web/ui/late-acts.tsx'
import { askPartnerAboutCase, type FraudCase, releaseCase, suspendPartnerForCase, voidCase } from '../contract.ts'
import { caseWords as words } from '../text.ts'

export const isOpen = ({ state }: FraudCase) => state === 'open'

/** The acts on an open case; that which voids it is a button of its row, the others are in its menu. */
export const caseActs = lazyActions(async () => (await import('./CaseActs.tsx')).caseDialogs, {
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
})

const loadMany = async () => (await import('./CaseActs.tsx')).manyDialogs

/** The acts on several open cases at once; one is released likewise. */
export const actsOnMany = lazyActions(loadMany, {
  release: { label: ({ cases }) => words.release.many({ count: cases.length }), needs: releaseCase },
  void: { label: ({ cases }) => words.void.many({ count: cases.length }), needs: voidCase, danger: true },
})
