import type { Word } from '#contract/format.ts'
import type { MissingForElectronic } from '#contract/invoices.ts'
import { defineWords } from '#contract/words.ts'

/** Words of how VAT applies, on documents. Those of the reverse charge are of Directive 2006/112/EC, Art. 226 (11a). */
export const treatmentPhrases = defineWords('vat-treatment', 'server', {
  exempt: 'VAT exempt: small business',
  reverseCharge: 'Reverse charge',
  reverseChargeInEu: 'Reverse charge (Art. 44 and 196 of Directive 2006/112/EC)',
  outsideScope: 'Outside the scope of VAT',
})

/** The agreement of a partner to invoices in their name, and how VAT applies to them. */
export const agreementPhrases = defineWords('invoice-agreement', 'server', {
  agreement: ({ account }: { account: Word }) =>
    `I agree that ${account} issues invoices for my commissions, and I will not issue my own. I accept each invoice unless I object within 30 days.`,
  noVatId: 'No VAT ID',
  noNumber: 'No VAT ID or tax number',
  vat: ({ rate }: { rate: Word }) => `VAT ${rate}`,
})

/** The parts that a document lacks for its electronic forms. */
export const missingPhrases = defineWords('invoice-missing', 'server', {
  form: 'it was issued before electronic invoices',
  number: 'its number',
  currency: 'a currency of at most two decimals',
  partner: 'the erased partner',
  taxNumber: 'the partner’s VAT ID or tax number',
  peppolId: 'the partner’s Peppol ID',
  accountPeppolId: 'the account’s Peppol ID',
} satisfies Record<MissingForElectronic, string>)
