import type * as room from '../tax-years.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage } from './objects.ts'

const params = { year: '2026' }
const terms: room.TaxYearTerms = { year: 2026, currency: 'usd', threshold: 2000_00, legalThreshold: 2000_00 }

export const taxYears: ExamplesOf<typeof room> = {
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
        payouts: 3,
        method: 'wise',
        approved: true,
        taxForm: { kind: 'w-9', receivedOn: '2026-07-20', expired: false },
        overThreshold: true,
      }),
      ...terms,
      totals: { partners: 1, paid: 2798_36, payouts: 3, approved: 1, overThreshold: 1, formsMissing: 0 },
    },
  },
  changeTaxYear: { params, refused: ['tax_year_wrong'], body: { threshold: null }, reply: terms },
  approveForTaxYear: {
    params,
    refused: ['tax_year_wrong', 'unknown_partner_in_account'],
    body: { partnerIds: [ids.partner] },
    reply: { partnerIds: [ids.partner] },
  },
}
