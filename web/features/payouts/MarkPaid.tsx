import { useQuery } from '@tanstack/react-query'
import { markPayoutPaid, PaidPayout, type Payout } from '#contract/payouts.ts'
import { approveForTaxYear } from '#features/tax-years/contract.ts'
import { todayIn, toYear } from '../../format.ts'
import { partnerQuery } from '../../shared/queries.ts'
import { useAccount } from '../../shell/current.ts'
import { CheckboxField, DateField, RadioCards, TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { Message } from '../../ui/Message.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { labelWords } from '../../words/fields.ts'
import { payoutWords } from '../../words/payouts.ts'
import { payoutQuery } from './queries.ts'
import { findPaidOnError, toPayoutValues } from './words.ts'

/** Marks a payout as paid outside, with day and reference. */
export const MarkPaid = defineFormAction(markPayoutPaid, PaidPayout, (opened: Payout) => {
  // what lifts a blocker meanwhile counts at once
  const { data: payout = opened } = useQuery(payoutQuery(opened.id))
  const today = todayIn(useAccount().timeZone)
  const may = usePermission()
  const { data: partner } = useQuery(partnerQuery(payout.partnerId))
  const notApproved = payout.blockers.find(({ code }) => code === 'not-approved-this-year')
  const noTaxForm = payout.blockers.find(({ code }) => code === 'tax-form-missing')
  // the year of the payment counts, which may be an earlier one
  const lacksApproval = (paidAt: string | undefined) =>
    may(approveForTaxYear) && partner?.approvedPayoutYears?.includes(toYear(paidAt || today)) === false
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
            {notApproved.message}. {payoutWords.blockers.oncePerYear}
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
    initial: {
      reference: '',
      paidAt: today,
      approvePartner: false,
      inFile: '' as NonNullable<PaidPayout['inFile']> | '',
    },
    check: ({ paidAt }) => ({ paidAt: findPaidOnError(paidAt, today) }),
    unready: ({ inFile }) => file !== null && inFile === '' && payoutWords.markPaid.inFileFirst,
    // Today means the current instant: the start of the day may be before the payout's approval.
    send: ({ reference, paidAt, inFile, approvePartner }) => ({
      params: { id: payout.id },
      body: {
        ...(inFile !== 'paid' && { reference }),
        ...(inFile && { inFile }),
        ...(paidAt !== today && { paidAt }),
        ...(approvePartner && lacksApproval(paidAt) && { approvePartner }),
        amount: payout.amount,
        payAmount: payout.payAmount,
      },
    }),
    fields: ({ field, values }) => (
      <>
        {lacksApproval(values.paidAt) && (
          <CheckboxField
            {...field(
              'approvePartner',
              payoutWords.markPaid.alsoApprove({ name: payout.partnerName, year: toYear(values.paidAt || today) }),
            )}
          />
        )}
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
