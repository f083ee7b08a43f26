import { issueCorrection, type ListedInvoice } from '#contract/invoices.ts'
import { closeObjection, createObjection } from '#features/objections/contract.ts'
import { defineAction } from '../ui/act.tsx'
import { reasonedAct } from '../ui/form-act.tsx'
import { invoicingWords } from '../words/invoices.ts'
import { objectionWords as words } from '../words/objections.ts'
import { useAccount } from './current.ts'

export const invoiceDialogs = {
  object: reasonedAct(createObjection, ({ number }: ListedInvoice) => ({
    heading: words.heading({ number: number ?? '' }),
    submit: words.send,
    why: words.why({ account: useAccount().displayName }),
    done: words.sent,
  })),
  correct: reasonedAct(issueCorrection, ({ number }: ListedInvoice) => ({
    heading: invoicingWords.correct.heading({ number: number ?? '' }),
    submit: invoicingWords.correct.open,
    why: invoicingWords.correct.why,
    done: (corrected) => invoicingWords.correct.done({ number: corrected.number ?? '' }),
  })),
  close: defineAction(closeObjection, ({ number, partnerName, objection }: ListedInvoice) => ({
    heading: words.closeHeading({ number: number ?? '' }),
    submit: words.close,
    why: (
      <div className="stack gap-2">
        <p className="wrap">{words.said({ partner: partnerName, reason: objection || words.none })}</p>
        <p>{words.closeWhy}</p>
      </div>
    ),
    done: words.closedNow,
  })),
}
