import { markPayoutPaid, PaidPayout, type Payout } from '#contract/payouts.ts'
import { todayIn } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { DateField, RadioCards, TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { Message } from '../../ui/Message.tsx'
import { labelWords } from '../../words/fields.ts'
import { ruleWords } from '../../words/forms.ts'
import { payoutWords } from '../../words/payouts.ts'
import { ApprovedThisYear } from './ApprovedThisYear.tsx'
import { toPayoutValues } from './words.ts'

/** Marks a payout as paid outside, with day and reference. */
export const MarkPaid = defineFormAction(markPayoutPaid, PaidPayout, (payout: Payout) => {
  const today = todayIn(useAccount().timeZone)
  const notApproved = payout.blockers.find(({ code }) => code === 'not-approved-this-year')
  const noTaxForm = payout.blockers.find(({ code }) => code === 'tax-form-missing')
  const words = toPayoutValues(payout)
  const { paymentFile: file } = payout
  return {
    heading: payoutWords.actions.markPaid,
    why: (
      <div className="stack">
        <p>{payoutWords.markPaid[file ? 'textInFile' : 'text'](words)}</p>
        {file && <Message kind="warning">{payoutWords.markPaid.inFile({ ...words, file: file.number })}</Message>}
        {payout.status === 'canceled' && <Message kind="warning">{payoutWords.markPaid.leftInFile}</Message>}
        {notApproved && (
          <Message kind="warning">
            <p>
              {notApproved.message}. {payoutWords.blockers.oncePerYear}
            </p>
            <ApprovedThisYear payout={payout} stays />
          </Message>
        )}
        {noTaxForm && (
          <Message kind="warning">
            {noTaxForm.message}. {payoutWords.blockers.taxForm}
          </Message>
        )}
      </div>
    ),
    done: payoutWords.markPaid.done(words),
    initial: { reference: '', paidAt: today, inFile: '' as NonNullable<PaidPayout['inFile']> | '' },
    check: ({ paidAt }) => ({
      paidAt: paidAt ? (paidAt > today ? ruleWords.notFuture : undefined) : ruleWords.date,
    }),
    unready: ({ inFile }) => file !== null && inFile === '',
    // Today means the current instant: the start of the day may be before the payout's approval.
    send: ({ reference, paidAt, inFile }) => ({
      params: { id: payout.id },
      body: {
        ...(inFile !== 'paid' && { reference }),
        ...(inFile && { inFile }),
        ...(paidAt !== today && { paidAt }),
        amount: payout.amount,
        payAmount: payout.payAmount,
      },
    }),
    fields: ({ field, values }) => (
      <>
        {file && (
          <RadioCards
            {...field('inFile', payoutWords.markPaid.inFileLegend)}
            choices={[
              { value: 'paid', label: payoutWords.markPaid.byFile({ file: file.number }) },
              { value: 'removed', label: payoutWords.markPaid.removed },
            ]}
          />
        )}
        {values.inFile !== 'paid' && (
          <TextField
            {...field('reference', labelWords.externalReference)}
            help={payoutWords.markPaid.referenceHelp}
            data-first-focus
          />
        )}
        <DateField {...field('paidAt', labelWords.paidOn)} max={today} />
      </>
    ),
  }
})
