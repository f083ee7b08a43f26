import type * as room from '../invoices.ts'
import { journalAccountNames } from '../journal-accounts.ts'
import type { ExamplesOf } from './example.ts'

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

export const invoices: ExamplesOf<typeof room> = {
  getInvoicing: { reply: invoicing },
  changeInvoicing: {
    refused: ['invoicing_incomplete', 'number_goes_up_only', 'number_without_reason', 'vat_id_wrong'],
    body: {
      ...{ enabled: true, legalName: invoicing.legalName, address: invoicing.address, country: 'DE' },
      ...{ vatId: 'DE 123 456 789', vatRate: 19, journalAccounts: { cash: '1200 Bank' } },
    },
    reply: invoicing,
  },
}
