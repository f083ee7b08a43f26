import { markPayoutPaid, PaidPayout, type Payout } from '#contract/payouts.ts'
import { todayIn } from '../../format.ts'
import type { ActProps } from '../../ui/act.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { DateField, TextField } from '../../ui/fields.tsx'
import { Message } from '../../ui/Message.tsx'
import { labelWords } from '../../words/fields.ts'
import { ruleWords } from '../../words/forms.ts'
import { payoutWords } from '../../words/payouts.ts'
import { ApprovedThisYear } from './ApprovedThisYear.tsx'
import { payoutActionLabel, wordsOf } from './words.ts'

type Props = ActProps<Payout> & { timeZone: string }

/** Marks a payout as paid outside, with day and reference. */
export function MarkPaid({ of: payout, timeZone, onClose }: Props) {
  const today = todayIn(timeZone)
  const form = useContractForm(PaidPayout, {
    initial: { reference: '', paidAt: today },
    check: ({ paidAt }) => ({
      paidAt: paidAt ? (paidAt > today ? ruleWords.notFuture : undefined) : ruleWords.date,
    }),
  })
  const notApproved = payout.blockers.find(({ code }) => code === 'not-approved-this-year')
  const words = wordsOf(payout)
  const call = useDialogCall(markPayoutPaid, { done: payoutWords.markPaid.done(words), onClose })
  return (
    <FormDialog
      heading={payoutActionLabel('markPaid')}
      why={
        <>
          <p>{payoutWords.markPaid.text(words)}</p>
          {payout.status === 'canceled' && <Message kind="warning">{payoutWords.markPaid.leftInFile}</Message>}
          {notApproved && (
            <Message kind="warning">
              <p>
                {notApproved.message}. {payoutWords.blockers.oncePerYear}
              </p>
              <ApprovedThisYear payout={payout} stays />
            </Message>
          )}
        </>
      }
      form={form}
      save={call}
      onSubmit={({ reference, paidAt }) =>
        // Today means the current instant: the start of the day may be before the payout's approval.
        call.mutate({
          params: { id: payout.id },
          body: { reference, amount: payout.amount, ...(paidAt !== today && { paidAt }) },
        })
      }
      onClose={onClose}
    >
      <TextField
        {...form.field('reference', labelWords.externalReference)}
        help={payoutWords.markPaid.referenceHelp}
        data-first-focus
      />
      <DateField {...form.field('paidAt', labelWords.paidOn)} max={today} />
    </FormDialog>
  )
}
