import { defineSignal } from '../../platform/events/emit-event.ts'

/** The database is an older copy: invoices wait until an owner enters the next number. */
export const seriesUnsure = defineSignal<{ since: string }>('invoices.unsure')

/** Documents that the mail about their payout doesn’t name: credit notes, and invoices that got their number later. */
export const documentsIssued = defineSignal<{ partnerId: string; invoiceIds: string[] }>('invoices.issued')
