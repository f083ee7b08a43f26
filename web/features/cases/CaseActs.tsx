import { askPartner, type FraudCase, NewQuestion, releaseCase, suspendForCase, voidCase } from '#contract/cases.ts'
import { formatMoney } from '../../format.ts'
import { TextAreaField } from '../../ui/fields.tsx'
import { formAct, reasonedAct } from '../../ui/form-act.tsx'
import type { ActProps } from '../../ui/useActs.tsx'
import { caseWords as words } from '../../words/cases.ts'
import type { CaseAct } from './actions.ts'

const held = ({ heldAmount, currency }: FraudCase) => formatMoney(heldAmount, currency)

const Release = reasonedAct(releaseCase, (one: FraudCase) => ({
  heading: words.release.heading,
  done: words.release.done,
  why: one.action === 'flag' ? words.release.flag : words.release.held({ amount: held(one) }),
}))

const Void = reasonedAct(voidCase, (one: FraudCase) => {
  const isOne = one.subject === 'sale'
  const { heading, headingMany, done, doneMany, why, whyMany, plain } = words.void
  return {
    heading: isOne ? heading : headingMany,
    danger: true,
    done: isOne ? done : doneMany,
    why: isOne && one.action === 'flag' ? plain : (isOne ? why : whyMany)({ amount: held(one) }),
  }
})

const Suspend = reasonedAct(suspendForCase, ({ partnerName }: FraudCase) => ({
  heading: words.suspend.heading,
  danger: true,
  done: words.suspend.done,
  why: words.suspend.why({ partner: partnerName }),
}))

const Ask = formAct(askPartner, NewQuestion, ({ partnerName }: FraudCase) => ({
  heading: words.ask.heading,
  submit: words.ask.submit,
  done: words.ask.done,
  why: words.ask.why({ partner: partnerName }),
  initial: { text: '' },
  fields: ({ field }) => <TextAreaField {...field('text', words.ask.question)} />,
}))

const dialogs = { release: Release, ask: Ask, suspend: Suspend, void: Void }

/** The dialog of an act on a case. */
export function CaseDialog({ of: { act, one }, onClose }: ActProps<{ act: CaseAct; one: FraudCase }>) {
  const Chosen = dialogs[act]
  return <Chosen of={one} onClose={onClose} />
}
