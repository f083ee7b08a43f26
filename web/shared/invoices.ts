import {
  getInvoice,
  getInvoiceDetails,
  getInvoicing,
  type Invoice,
  listInvoices,
  listPartnerInvoices,
} from '#contract/invoices.ts'
import { apiQuery } from '../calls.ts'
import { defineList } from '../lists/list-of.ts'
import { downloadFile } from '../ui/download.ts'

export const invoicingQuery = (id: string) => apiQuery(getInvoicing, { params: { id } })
export const invoiceDetailsQuery = (id: string) => apiQuery(getInvoiceDetails, { params: { id } })

export const invoices = defineList(listInvoices, 'invoices', { filters: ['kind', 'objection', 'from', 'to'] })
export const partnerInvoices = defineList(listPartnerInvoices, 'invoices-of-partner', { filters: ['kind'] })
export const partnerInvoiceCountQuery = (id: string) => ({
  ...apiQuery(listPartnerInvoices, { params: { id }, query: { limit: 1 } }),
  select: ({ total }: { total: number }) => total,
})

/** Loads a document as a PDF, or as its XML. */
export const loadInvoice = ({ id }: Pick<Invoice, 'id'>, accept = 'application/pdf') =>
  downloadFile(getInvoice, { params: { id }, accept })
