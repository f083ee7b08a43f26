import {
  getInvoice,
  getInvoiceDetails,
  getInvoicing,
  type Invoice,
  listInvoices,
  listPartnerInvoices,
} from '#contract/invoices.ts'
import { read } from '../calls.ts'
import { defineList } from '../lists/list-of.ts'
import { download } from '../ui/download.ts'

export const invoicing = (id: string) => read(getInvoicing, { params: { id } })
export const invoiceDetails = (id: string) => read(getInvoiceDetails, { params: { id } })

export const invoices = defineList(listInvoices, 'invoices', { filters: ['kind', 'from', 'to'] })
export const partnerInvoices = defineList(listPartnerInvoices, 'invoices-of-partner', { filters: ['kind'] })
export const partnerInvoiceCount = (id: string) => ({
  ...read(listPartnerInvoices, { params: { id }, query: { limit: 1 } }),
  select: ({ total }: { total: number }) => total,
})

/** Loads a document as a PDF. */
export const loadInvoice = ({ id }: Pick<Invoice, 'id'>) =>
  download(getInvoice, { params: { id }, accept: 'application/pdf' })
