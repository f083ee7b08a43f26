import {
  getInvoice,
  getInvoiceDetails,
  getInvoicing,
  type Invoice,
  listInvoices,
  listPartnerInvoices,
} from '#contract/invoices.ts'
import { listQuery, read, type SearchOf } from '../calls.ts'
import { tableOf } from '../lists/table-state.ts'
import { download } from '../ui/download.ts'

export const invoicing = (id: string) => read(getInvoicing, { params: { id } })
export const invoiceDetails = (id: string) => read(getInvoiceDetails, { params: { id } })

type Invoices = SearchOf<typeof listInvoices>
type OfPartner = SearchOf<typeof listPartnerInvoices>

export const invoiceTable = tableOf<Invoices>()({ list: 'invoices', filters: ['kind', 'from', 'to'] })
export const invoices = (id: string, search: Invoices) => listQuery(listInvoices, { params: { id }, search })
export const partnerInvoiceTable = tableOf<OfPartner>()({ list: 'invoices-of-partner', filters: ['kind'] })
export const partnerInvoices = (id: string, search: OfPartner) =>
  listQuery(listPartnerInvoices, { params: { id }, search })
export const partnerInvoiceCount = (id: string) => ({
  ...read(listPartnerInvoices, { params: { id }, query: { limit: 1 } }),
  select: ({ total }: { total: number }) => total,
})

/** Loads a document as a PDF. */
export const loadInvoice = ({ id }: Pick<Invoice, 'id'>) =>
  download(getInvoice, { params: { id }, accept: 'application/pdf' })
