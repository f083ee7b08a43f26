import type { ExamplesOf } from '#contract/examples/example.ts'
import { ids, onlyPage } from '#contract/examples/objects.ts'
import type * as room from './contract.ts'

const params = { year: '2026' }
const terms: room.TaxYearTerms = { year: 2026, currency: 'usd', threshold: 2000_00, legalThreshold: 2000_00 }

const taxForm: room.TaxFormState = {
  wanted: 'ask',
  kind: 'w-9',
  source: 'partner',
  receivedOn: '2026-07-20',
  tinType: 'ssn',
  tinLast4: '7391',
  classification: 'individual',
  expiresOn: null,
}

export const calls: ExamplesOf<typeof room> = {
  listTaxYear: {
    params,
    query: { paid: 'true', sort: '-paid' },
    refused: ['tax_year_wrong'],
    reply: {
      ...onlyPage<room.TaxYearPartner>({
        partnerId: ids.partner,
        partnerName: 'Jane Whitfield',
        email: 'jane@whitfield.example',
        currency: 'usd',
        paid: 2798_36,
        reportable: 2798_36,
        rewards: 0,
        taxPaid: 0,
        payouts: 3,
        method: 'wise',
        approved: true,
        taxForm: { kind: 'w-9', receivedOn: '2026-07-20', expired: false },
        overThreshold: true,
      }),
      ...terms,
      totals: {
        partners: 1,
        paid: 2798_36,
        reportable: 2798_36,
        rewards: 0,
        payouts: 3,
        approved: 1,
        overThreshold: 1,
        formsMissing: 0,
      },
    },
  },
  changeTaxYear: { params, refused: ['tax_year_wrong'], body: { threshold: null }, reply: terms },
  approveForTaxYear: {
    params,
    refused: ['partners_to_approve_changed', 'tax_year_wrong', 'unknown_partner_in_account'],
    body: { partnerIds: [ids.partner] },
    reply: { partnerIds: [ids.partner] },
  },
  downloadNecFile: {
    params,
    query: { preview: 'true' },
    refused: [
      'nec_empty',
      'nec_not_in_usd',
      'nec_part_wrong',
      'nec_payer_incomplete',
      'password_first',
      'tax_year_wrong',
      'template_not_known',
    ],
    reply: {
      rows: 14,
      parts: 1,
      template: false,
      missing: [{ partnerId: ids.subPartner, partnerName: 'Sam Ortiz', reason: 'no-form' }],
    },
  },
  getTaxForm: { reply: taxForm },
  signTaxForm: {
    refused: ['birth_date_wrong', 'password_first', 'tax_signature_wrong', 'tin_wrong'],
    body: {
      kind: 'w-9',
      name: 'Jane Whitfield',
      classification: 'individual',
      address: { state: 'me', city: 'Portland', addressLine: '12 Exchange Street', zipCode: '04101' },
      tinType: 'ssn',
      tin: '219-09-7391',
      certified: true,
      signature: 'Jane Whitfield',
    },
    reply: taxForm,
  },
}
