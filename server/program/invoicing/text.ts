import { defineWords } from '#contract/words.ts'

/** Words of how VAT applies, on documents. Those of the reverse charge are of Directive 2006/112/EC, Art. 226 (11a). */
export const treatmentPhrases = defineWords('vat-treatment', 'server', {
  exempt: 'VAT exempt: small business',
  reverseCharge: 'Reverse charge',
  reverseChargeInEu: 'Reverse charge (Art. 44 and 196 of Directive 2006/112/EC)',
  outsideScope: 'Outside the scope of VAT',
})
