import { listPartnerInvoices } from '#contract/invoices.ts'
import type { Payout } from '#contract/payouts.ts'
import { callApi } from '../api.ts'
import { loadInvoice } from './invoices.ts'

/** Loads the invoice of a payout as a PDF, found by its number. */
export async function loadPayoutInvoice({ partnerId, invoiceNumber }: Pick<Payout, 'partnerId' | 'invoiceNumber'>) {
  // of the numbers that contain this one it is the first, however many there are
  const query = { kind: 'invoice', search: invoiceNumber ?? '', sort: 'number', limit: 100 } as const
  const { items } = await callApi(listPartnerInvoices, { params: { id: partnerId }, query })
  return loadInvoice(items.find(({ number }) => number === invoiceNumber)!)
}
