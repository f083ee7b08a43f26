import { z } from 'zod'
import { startBulkAction } from '#contract/bulk-actions.ts'
import { type PaidPayout, type Payout, paidPayoutShape } from '#contract/payouts.ts'
import { formatSum, todayIn } from '../../format.ts'
import { type Many, startedFrom } from '../../shared/bulk-actions.ts'
import { useAccount } from '../../shell/current.ts'
import { ChooseFile } from '../../ui/ChooseFile.tsx'
import { DateField, RadioCards, TextAreaField, TextField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { Message } from '../../ui/Message.tsx'
import { MoreOptions } from '../../ui/MoreOptions.tsx'
import { labelWords } from '../../words/fields.ts'
import { payoutWords } from '../../words/payouts.ts'
import { findPaidOnError } from './words.ts'

const Paid = z.strictObject({ reference: paidPayoutShape.reference.unwrap(), paidAt: paidPayoutShape.paidAt })

type InFile = NonNullable<PaidPayout['inFile']> | ''

/** Largest file of references, in megabytes. */
const MOST_MEGABYTES = 1

/** Marks payouts as paid outside, in the background: on one day, with one reference or, by lines or a file, one each. */
export const MarkManyPaid = defineFormAction(
  startBulkAction,
  Paid,
  ({ payouts, ...many }: Many & { payouts: readonly Payout[] }) => {
    const { timeZone } = useAccount()
    const today = todayIn(timeZone)
    const filed = payouts.filter(({ paymentFile }) => paymentFile).length
    return {
      heading: payoutWords.actions.markPaid,
      why: (
        <div className="stack">
          <p>
            {payoutWords.markPaid.textMany({
              count: payouts.length,
              amount: formatSum(payouts.map(({ payAmount: amount, currency }) => ({ amount, currency }))),
            })}
          </p>
          {filed > 0 && <Message kind="warning">{payoutWords.markPaid.someInFiles({ count: filed })}</Message>}
        </div>
      ),
      initial: { reference: '', paidAt: today, references: '', inFile: '' as InFile },
      omit: ['references' as const, 'inFile' as const],
      unready: ({ inFile }: { inFile: InFile }) => filed > 0 && inFile === '' && payoutWords.markPaid.inFileFirst,
      check: ({ paidAt, references }: { paidAt: string; references: string }) => ({
        paidAt: findPaidOnError(paidAt, today),
        references: readReferences(references, payouts).problem,
      }),
      send({ reference, paidAt }, { references, inFile }) {
        const own = readReferences(references, payouts).byId
        // today means the current instant, as for a single payout
        const change = { reference, ...(paidAt !== today && { paidAt }) }
        const shown = payouts.map(({ id, amount, payAmount, paymentFile }) => ({
          id,
          amount,
          payAmount,
          reference: own.get(id),
          ...(paymentFile && inFile && { inFile }),
        }))
        return {
          params: { id: many.accountId },
          body: { action: 'mark-payouts-paid', ids: many.ids, change, payouts: shown },
        }
      },
      part: 'change',
      done: startedFrom(many),
      fields: (form) => (
        <>
          {filed > 0 && (
            <RadioCards
              {...form.field('inFile', payoutWords.markPaid.inFileLegend)}
              choices={[
                { value: 'paid', label: payoutWords.markPaid.byFiles },
                { value: 'removed', label: payoutWords.markPaid.removedMany },
              ]}
            />
          )}
          <TextField
            {...form.field('reference', labelWords.externalReference)}
            help={payoutWords.markPaid.referenceHelp}
            data-first-focus
          />
          <DateField {...form.field('paidAt', labelWords.paidOn)} max={today} />
          <MoreOptions form={form}>
            <TextAreaField
              {...form.field('references', payoutWords.markPaid.references)}
              help={payoutWords.markPaid.referencesHelp}
              rows={3}
            />
            <ChooseFile
              file={null}
              most={MOST_MEGABYTES}
              tooLarge={payoutWords.results.tooLarge({ most: MOST_MEGABYTES })}
              onChoose={(file) => file && form.set({ references: file.csv.trim() })}
            />
          </MoreOptions>
        </>
      ),
    }
  },
)

/**
 * Parses lines such as 'PO-12, Wire 4471', pasted from a spreadsheet or of a file, whose first line may be its heads; the
 * first other line that is not one, or is another one of its payout, is reported.
 */
function readReferences(text: string, payouts: readonly Payout[]) {
  const byNumber = new Map(payouts.map((payout) => [String(payout.statementNumber), payout.id]))
  const byId = new Map<string, string>()
  for (const [at, line] of text
    .split('\n')
    .map((line) => line.trim())
    .entries()) {
    if (line === '' || (at === 0 && !/\d/.test(line))) continue
    const [, number, reference] = /^"?(?:PO-)?(\d{1,9})"?[\s,;]+(\S.*)$/i.exec(line.slice(0, 400)) ?? []
    const id = number && byNumber.get(number)
    if (!id || !reference || reference.length > 255)
      return { byId, problem: payoutWords.markPaid.badLine({ line: line.slice(0, 60) }) }
    if (byId.has(id)) return { byId, problem: payoutWords.markPaid.lineAgain({ line: line.slice(0, 60) }) }
    byId.set(id, reference.replace(/^"(.*)"$/, '$1'))
  }
  return { byId, problem: undefined }
}
