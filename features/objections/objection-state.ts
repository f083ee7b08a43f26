import { addDays } from '#contract/days.ts'
import type { Invoice } from '#contract/invoices.ts'

/** Days after its day of issue, or that of a late number, on which a partner may object to an invoice, as the agreement says. */
export const OBJECTION_DAYS = 30

type Objected = Pick<Invoice, 'kind' | 'number' | 'issuedOn' | 'numberedOn' | 'creditedBy' | 'objectedAt'>

/** Whether the partner may still object to an invoice on this day of the account. */
export const mayBeObjectedTo = (
  { kind, number, issuedOn, numberedOn, creditedBy, objectedAt }: Objected,
  today: string,
) =>
  kind === 'invoice' &&
  number !== null &&
  creditedBy === null &&
  objectedAt === null &&
  today <= addDays(numberedOn ?? issuedOn, OBJECTION_DAYS)

/** Whether an objection waits for the account. */
export const isObjectionOpen = ({
  objectedAt,
  objectionClosedAt,
  creditedBy,
}: Pick<Invoice, 'objectedAt' | 'objectionClosedAt' | 'creditedBy'>) =>
  objectedAt !== null && objectionClosedAt === null && creditedBy === null
