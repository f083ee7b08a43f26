import { bothNames } from '../former-names.ts'
import type * as room from '../invoices.ts'
import { journalAccountNames } from '../journal-accounts.ts'
import type { ExamplesOf } from './example.ts'
import { ids, onlyPage } from './objects.ts'

const invoicing: room.Invoicing = {
  enabled: true,
  required: false,
  legalName: 'Acme GmbH',
  address: { addressLine: 'Torstraße 1', zipCode: '10119', city: 'Berlin', state: null },
  country: 'DE',
  vatId: 'DE123456789',
  companyNumber: 'HRB 98765 B',
  peppolId: null,
  vatRate: 19,
  prefix: 'INV-',
  nextNumber: 119,
  unsure: false,
  taxForms: 'off',
  ein: null,
  phone: null,
  journalAccounts: { ...journalAccountNames, cash: '1200 Bank' },
}

const partner = {
  legalName: 'Whitfield Media',
  address: { addressLine: 'Lange Straße 7', zipCode: '20095', city: 'Hamburg', state: null },
  country: 'DE',
  vatId: 'DE987654321',
  taxNumber: '22/815/08154',
  companyNumber: null,
  peppolId: null,
}

const details: room.InvoiceDetails = {
  enabled: true,
  required: false,
  accountName: 'Acme GmbH',
  accountCountry: 'DE',
  agreement:
    'I agree that Acme GmbH issues invoices for my commissions, and I will not issue my own. I accept each invoice unless I object within 30 days.',
  agreed: true,
  ...partner,
  smallBusiness: false,
  version: 1,
  agreedAt: '2026-07-24T09:12:40.118Z',
  treatment: 'standard',
  words: 'VAT 19%',
}

export const invoice: room.Invoice = {
  id: ids.invoice,
  accountId: ids.account,
  number: 'INV-118',
  kind: 'invoice',
  payoutId: ids.payout,
  payoutNumber: 'PO-214',
  partnerId: ids.partner,
  partnerName: 'Jane Whitfield',
  issuedOn: '2026-07-24',
  net: 100_00,
  taxRate: 19,
  tax: 19_00,
  gross: 119_00,
  currency: 'eur',
  treatment: 'standard',
  creditedBy: null,
  correctedBy: null,
  credits: null,
  electronic: { xml: true, pdf: true, missing: [] },
  numberedOn: null,
  objectedAt: null,
  objectionClosedAt: null,
  createdAt: '2026-07-24T09:12:40.118Z',
}

export const invoices: ExamplesOf<typeof room> = {
  getInvoicing: { reply: invoicing },
  changeInvoicing: {
    refused: [
      'company_number_wrong',
      'invoicing_incomplete',
      'number_goes_up_only',
      'number_without_reason',
      'prefix_repeats_number',
      'vat_id_wrong',
    ],
    body: {
      enabled: true,
      legalName: invoicing.legalName,
      address: invoicing.address,
      country: 'DE',
      vatId: 'DE 123 456 789',
      vatRate: 19,
      journalAccounts: { cash: '1200 Bank' },
    },
    reply: invoicing,
  },
  getInvoiceDetails: { reply: details },
  saveInvoiceDetails: {
    refused: ['company_number_wrong', 'vat_id_wrong'],
    body: { ...partner, smallBusiness: false, agreed: true },
    reply: details,
  },
  listInvoices: {
    reply: {
      ...onlyPage({ ...invoice, objection: null }),
      unsure: false,
      ...bothNames('numberGaps', [
        { from: 1, to: 100, reason: 'From the former program', at: '2026-07-01T08:00:00.000Z' },
      ]),
    },
  },
  listPartnerInvoices: { reply: onlyPage({ ...invoice, objection: null }) },
  getInvoice: {
    refused: ['e_invoice_incomplete', 'media_type_not_offered', 'series_unsure'],
    reply: {
      ...invoice,
      objection: null,
      account: {
        legalName: 'Acme GmbH',
        address: invoicing.address!,
        country: 'DE',
        vatId: 'DE123456789',
        companyNumber: 'HRB 98765 B',
        peppolId: '9930:DE123456789',
      },
      partner: { ...partner, peppolId: '9930:DE987654321' },
      periodStart: '2026-06-01',
      periodEnd: '2026-06-30',
      lines: [
        { kind: 'earned', count: 12, amount: 104_00 },
        { kind: 'reversal', count: 1, amount: -4_00 },
      ],
      words: null,
      credited: null,
    },
  },
  issueCorrection: {
    refused: [
      ...(['correction_impossible', 'credit_note_stays', 'credited_already', 'nothing_to_correct'] as const),
      ...(['series_unsure', 'tax_would_change'] as const),
    ],
    body: { reason: 'The partner moved in June.' },
    reply: { ...invoice, number: 'INV-120' },
  },
  downloadInvoiceFiles: {
    refused: ['range_backwards', 'too_many_days', 'too_many_documents'],
    query: { from: '2026-01-01', to: '2026-12-31' },
  },
}
