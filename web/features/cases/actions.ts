import { askPartner, type FraudCase, releaseCase, suspendForCase, voidCase } from '#contract/cases.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { caseWords as words } from '../../words/cases.ts'

export type CaseAct = 'release' | 'ask' | 'suspend' | 'void'

/** The acts on an open case. */
export function actionsOn(one: FraudCase, start: (act: CaseAct) => void): Action[] {
  if (one.state !== 'open') return []
  const { subject, action, question, partnerState } = one
  const voids = subject === 'sale' ? words.void.action : words.void.actionMany
  return [
    { label: words.release.action, needs: releaseCase, run: () => start('release') },
    ...(question === null ? [{ label: words.ask.action, needs: askPartner, run: () => start('ask') }] : []),
    ...(partnerState === 'active'
      ? [{ label: words.suspend.action, needs: suspendForCase, danger: true, run: () => start('suspend') }]
      : []),
    ...(subject === 'sale' || action === 'hold'
      ? [{ label: voids, needs: voidCase, danger: true, run: () => start('void') }]
      : []),
  ]
}
