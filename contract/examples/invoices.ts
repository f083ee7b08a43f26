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
}

const details: room.InvoiceDetails = {
  enabled: true,
  required: false,
  accountName: 'Acme GmbH',
  accountCountry: 'DE',
  agreement: 'I agree that Acme GmbH issues invoices for my commissions, and I will not issue my own.',
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
  credits: null,
  createdAt: '2026-07-24T09:12:40.118Z',
}

export const invoices: ExamplesOf<typeof room> = {
  getInvoicing: { reply: invoicing },
  changeInvoicing: {
    refused: [
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
    refused: ['vat_id_wrong'],
    body: { ...partner, smallBusiness: false, agreed: true },
    reply: details,
  },
  listInvoices: {
    reply: {
      ...onlyPage(invoice),
      unsure: false,
      ...bothNames('numberGaps', [
        { from: 1, to: 100, reason: 'From the former program', at: '2026-07-01T08:00:00.000Z' },
      ]),
    },
  },
  listPartnerInvoices: { reply: onlyPage(invoice) },
  getInvoice: {
    refused: ['media_type_not_offered', 'series_unsure'],
    reply: {
      ...invoice,
      account: { legalName: 'Acme GmbH', address: invoicing.address!, country: 'DE', vatId: 'DE123456789' },
      partner,
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
}
