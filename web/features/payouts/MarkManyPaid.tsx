import { useState } from 'react'
import { MOST_MARKED, markPayoutsPaid, PaidPayout, type Payout } from '#contract/payouts.ts'
import { useCall } from '../../calls.ts'
import { formatSum, todayIn } from '../../format.ts'
import { useAccount } from '../../shell/current.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { DateField, TextAreaField, TextField } from '../../ui/fields.tsx'
import { Message } from '../../ui/Message.tsx'
import { toast } from '../../ui/toasts.ts'
import { labelWords } from '../../words/fields.ts'
import { ruleWords } from '../../words/forms.ts'
import { payoutWords } from '../../words/payouts.ts'
import { refusedInWords } from '../../words/refusals.ts'
import { numberOf, payoutActionLabel } from './words.ts'

type Props = {
  /** No more than one call accepts. */
  payouts: readonly Payout[]
  /** The number of further payouts selected, for a next round. */
  others: number
  onClose: () => void
  onMarked: (marked: readonly Payout[]) => void
}

/** Marks payouts as paid outside: on one day, with one reference or one each. */
export function MarkManyPaid({ payouts, others, onClose, onMarked }: Props) {
  const { id: accountId, timeZone } = useAccount()
  const today = todayIn(timeZone)
  const [refused, setRefused] = useState<{ payout: Payout; why: string }[]>([])
  const form = useContractForm(PaidPayout, {
    initial: { reference: '', paidAt: today, references: '' },
    omit: ['references'],
    check: ({ paidAt, references }) => ({
      paidAt: paidAt ? (paidAt > today ? ruleWords.notFuture : undefined) : ruleWords.date,
      references: readReferences(references, payouts).problem,
    }),
  })
  const call = useCall(markPayoutsPaid, {
    onSuccess({ results }) {
      const failed = new Map(results.flatMap(({ id, error }) => (error ? [[id, error] as const] : [])))
      const marked = payouts.filter(({ id }) => !failed.has(id))
      if (marked.length > 0) toast(payoutWords.markPaid.doneMany({ count: marked.length }))
      onMarked(marked)
      if (failed.size === 0) return onClose()
      setRefused(
        payouts.flatMap((payout) => {
          const error = failed.get(payout.id)
          return error ? [{ payout, why: refusedInWords(error) }] : []
        }),
      )
    },
  })
  const rest = refused.length > 0 ? refused.map(({ payout }) => payout) : payouts
  const { references } = form.values
  return (
    <FormDialog
      heading={payoutActionLabel('markPaid')}
      why={
        <>
          {others > 0 && (
            <Message kind="info">{payoutWords.markPaid.others({ count: others, most: MOST_MARKED })}</Message>
          )}
          {refused.length > 0 ? (
            <Message kind="error">
              {payoutWords.markPaid.refused({ count: refused.length })}
              <ul>
                {refused.map(({ payout, why }) => (
                  <li key={payout.id}>
                    {numberOf(payout)} {payout.partnerName}: {why}
                  </li>
                ))}
              </ul>
            </Message>
          ) : (
            <p>
              {payoutWords.markPaid.textMany({
                count: payouts.length,
                amount: formatSum(payouts.map(({ payAmount: amount, currency }) => ({ amount, currency }))),
              })}
            </p>
          )}
        </>
      }
      form={form}
      save={call}
      onSubmit={({ reference, paidAt }) => {
        const own = readReferences(references, payouts).byId
        // today means the current instant, as for a single payout
        const day = paidAt === today ? {} : { paidAt }
        const items = rest.map(({ id, amount, payAmount }) => ({
          id,
          amount,
          payAmount,
          reference: own.get(id) ?? reference,
          ...day,
        }))
        call.mutate({ params: { id: accountId }, body: { items } })
      }}
      onClose={onClose}
    >
      <TextField
        {...form.field('reference', labelWords.externalReference)}
        help={payoutWords.markPaid.referenceHelp}
        data-first-focus
      />
      <DateField {...form.field('paidAt', labelWords.paidOn)} max={today} />
      <TextAreaField
        {...form.field('references', payoutWords.markPaid.references)}
        help={payoutWords.markPaid.referencesHelp}
        rows={3}
      />
    </FormDialog>
  )
}

/** Parses lines such as 'PO-12, Wire 4471', pasted from a spreadsheet; the first line that is not one is reported. */
function readReferences(text: string, payouts: readonly Payout[]) {
  const byNumber = new Map(payouts.map((payout) => [String(payout.statementNumber), payout.id]))
  const byId = new Map<string, string>()
  for (const line of text.split('\n').map((line) => line.trim())) {
    if (line === '') continue
    const [, number, reference] = /^(?:PO-)?(\d{1,9})[\s,;]+(\S.*)$/i.exec(line.slice(0, 400)) ?? []
    const id = number && byNumber.get(number)
    if (!id || !reference || reference.length > 255)
      return { byId, problem: payoutWords.markPaid.badLine({ line: line.slice(0, 60) }) }
    byId.set(id, reference.replace(/^"(.*)"$/, '$1'))
  }
  return { byId, problem: undefined }
}
