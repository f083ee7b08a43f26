import { issueCorrection } from '#contract/invoices.ts'
import { closeObjection, createObjection } from '#features/objections/contract.ts'
import { isObjectionOpen } from '#features/objections/objection-state.ts'
import { lazyActions } from '../ui/late-acts.tsx'
import { invoicingWords } from '../words/invoices.ts'
import { objectionWords as words } from '../words/objections.ts'

/** The acts on an invoice: its partner's objection, and the account's answers. */
export const invoiceActs = lazyActions(async () => (await import('./InvoiceActs.tsx')).invoiceDialogs, {
  object: { label: words.object, needs: createObjection },
  correct: {
    label: invoicingWords.correct.open,
    needs: issueCorrection,
    when: ({ kind, number, creditedBy }) => kind === 'invoice' && number !== null && creditedBy === null,
  },
  close: { label: words.close, needs: closeObjection, when: isObjectionOpen },
})
