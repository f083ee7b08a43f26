import {
  askPartnerAboutCase,
  type FraudCase,
  NewQuestion,
  releaseCase,
  suspendPartnerForCase,
  voidCase,
} from '#contract/fraud-cases.ts'
import { formatMoney } from '../../format.ts'
import { TextAreaField } from '../../ui/fields.tsx'
import { defineFormAction, reasonedAct } from '../../ui/form-act.tsx'
import { caseWords as words } from '../../words/fraud-cases.ts'

const held = ({ heldAmount, currency }: FraudCase) => formatMoney(heldAmount, currency)
/** Sends what a case holds as the dialog says it. */
const sending =
  ({ id, heldSales, heldAmount }: FraudCase) =>
  (body: { reason: string }) => ({ params: { id }, body: { ...body, shown: { heldSales, heldAmount } } })

const Release = reasonedAct(releaseCase, (one: FraudCase) => ({
  heading: words.release.heading,
  done: words.release.done,
  why: one.action === 'flag' ? words.release.flag : words.release.held({ amount: held(one) }),
  send: sending(one),
}))

const Void = reasonedAct(voidCase, (one: FraudCase) => {
  const isOne = one.subject === 'sale'
  const { heading, headingMany, done, doneMany, why, whyMany, plain } = words.void
  return {
    heading: isOne ? heading : headingMany,
    done: isOne ? done : doneMany,
    why: isOne && one.action === 'flag' ? plain : (isOne ? why : whyMany)({ count: one.heldSales, amount: held(one) }),
    send: sending(one),
  }
})

const Suspend = reasonedAct(suspendPartnerForCase, ({ partnerName }: FraudCase) => ({
  heading: words.suspend.heading,
  done: words.suspend.done,
  why: words.suspend.why({ partner: partnerName }),
}))

const Ask = defineFormAction(askPartnerAboutCase, NewQuestion, ({ partnerName }: FraudCase) => ({
  heading: words.ask.heading,
  submit: words.ask.submit,
  done: words.ask.done,
  why: words.ask.why({ partner: partnerName }),
  initial: { text: '' },
  fields: ({ field }) => <TextAreaField {...field('text', words.ask.question)} />,
}))

/** Their dialogs; `case-acts.ts` declares how they are offered. */
export const caseDialogs = { release: Release, ask: Ask, suspend: Suspend, void: Void }
