import { type BulkAction, cancelBulkAction, startBulkAction } from '#contract/bulk-actions.ts'
import { formatNumber } from '#contract/format.ts'
import { NewQuestion } from '#contract/questions.ts'
import { Reasoned } from '#contract/values.ts'
import { useCall } from '#web/calls.ts'
import { formatMoney } from '#web/format.ts'
import { type Many, startedFrom } from '#web/shared/bulk-actions.ts'
import { TextAreaField } from '#web/ui/fields.tsx'
import { defineFormAction, reasonedAct } from '#web/ui/form-act.tsx'
import { showToast } from '#web/ui/toasts.ts'
import { basicWords } from '#web/words/basic.ts'
import { labelWords } from '#web/words/fields.ts'
import { questionWords } from '#web/words/questions.ts'
import { toastWords } from '#web/words/shell.ts'
import { askPartnerAboutCase, type FraudCase, suspendPartnerForCase, voidCase } from '../contract.ts'
import { caseWords as words } from '../text.ts'

const held = ({ heldAmount, currency }: FraudCase) => formatMoney(heldAmount, currency)
const shownOf = ({ id, heldSales, heldAmount }: FraudCase) => ({ id, heldSales, heldAmount })
/** Sends what a case holds as the dialog says it. */
const sending =
  ({ id, heldSales, heldAmount }: FraudCase) =>
  (body: { reason: string }) => ({ params: { id }, body: { ...body, shown: { heldSales, heldAmount } } })

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
  submit: questionWords.send,
  done: questionWords.sent,
  why: words.ask.why({ partner: partnerName }),
  initial: { text: '' },
  fields: ({ field }) => <TextAreaField {...field('text', questionWords.question)} />,
}))

type Chosen = Many & { cases: readonly FraudCase[] }

const sumOf = (cases: readonly FraudCase[]) =>
  formatMoney(
    cases.reduce((sum, { heldAmount }) => sum + heldAmount, 0),
    cases[0]?.currency ?? 'usd',
  )

/** The form of one reason for all of the cases, sent with what each of them holds as shown. */
const reasonForm = ({ cases, ...many }: Chosen, action: 'release-cases' | 'void-cases', more: object = {}) => ({
  initial: { reason: '' },
  check: ({ reason }: { reason: string }) => ({
    reason: reason.trim() === '' ? basicWords.rules.required({ label: labelWords.reason }) : undefined,
  }),
  send: (change: { reason: string }) => ({
    params: { id: many.accountId },
    body: { action, ids: many.ids, change, cases: cases.map(shownOf), ...more },
  }),
  part: 'change',
})

/** Seconds that a release waits on the server: those of 'Undo', and some for the way there and back. */
const RELEASE_WAITS = 10

/** Releases cases by the server's own clock, whatever becomes of this page; until then 'Undo' cancels it. */
const Release = defineFormAction(startBulkAction, Reasoned, (chosen: Chosen) => {
  const { cases, accountId } = chosen
  const count = cases.length
  const [one] = cases
  const undo = useCall(cancelBulkAction, {
    onSuccess({ done }) {
      if (done > 0) showToast(words.release.tooLate({ count: done }), { failed: true })
      else showToast(words.release.undone({ count }))
    },
    onError: ({ message }) => showToast(message, { failed: true }),
  })
  return {
    heading: count === 1 ? words.release.heading : words.release.many({ count }),
    why: count === 1 && one?.action === 'flag' ? words.release.flag : words.release.held({ amount: sumOf(cases) }),
    ...reasonForm(chosen, 'release-cases', { delaySeconds: RELEASE_WAITS }),
    submit: count === 1 ? undefined : words.release.action,
    done(action: BulkAction) {
      startedFrom(chosen)(action)
      showToast(words.release.soon({ count: formatNumber(count) }), {
        of: action.id,
        action: {
          label: toastWords.undo,
          run: () => undo.mutate({ params: { id: accountId, bulkActionId: action.id } }),
        },
      })
    },
    fields: ({ field }) => <TextAreaField {...field('reason')} rows={2} />,
  }
})

export const manyDialogs = {
  release: Release,
  void: defineFormAction(startBulkAction, Reasoned, (chosen: Chosen) => ({
    heading: words.void.many({ count: chosen.cases.length }),
    why: words.holding({ amount: sumOf(chosen.cases) }),
    submit: words.void.action,
    ...reasonForm(chosen, 'void-cases'),
    done: startedFrom(chosen),
    fields: ({ field }) => <TextAreaField {...field('reason')} rows={2} />,
  })),
}

/** Their dialogs; `case-acts.ts` declares how they are offered. */
export const caseDialogs = { ask: Ask, suspend: Suspend, void: Void }
