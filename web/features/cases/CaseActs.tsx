import { askPartner, type FraudCase, NewQuestion, releaseCase, suspendForCase, voidCase } from '#contract/cases.ts'
import { formatMoney } from '../../format.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { TextAreaField } from '../../ui/fields.tsx'
import { formAct, reasonedAct } from '../../ui/form-act.tsx'
import type { Act } from '../../ui/useActs.tsx'
import { caseWords as words } from '../../words/cases.ts'

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

/** The acts on an open case. */
export function actionsOn(one: FraudCase, start: (act: Act<FraudCase>, of: FraudCase) => void): Action[] {
  if (one.state !== 'open') return []
  const isOne = one.subject === 'sale'
  const run = (act: Act<FraudCase>) => () => start(act, one)
  return [
    { label: words.release.action, needs: releaseCase, run: run(Release) },
    ...(one.question === null ? [{ label: words.ask.action, needs: askPartner, run: run(Ask) }] : []),
    ...(one.partnerState === 'active'
      ? [{ label: words.suspend.action, needs: suspendForCase, danger: true, run: run(Suspend) }]
      : []),
    ...(isOne || one.action === 'hold'
      ? [
          {
            label: isOne ? words.void.action : words.void.actionMany,
            needs: voidCase,
            danger: true,
            run: run(Void),
          },
        ]
      : []),
  ]
}
