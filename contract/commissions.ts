import { z } from 'zod'
import { apiLimit, endpoint } from './endpoint.ts'
import { Lead } from './leads.ts'
import { PayoutStatus } from './payouts.ts'
import { Entry, Sale, SaleMatch } from './sales.ts'
import { Id, IdParams, Instant } from './values.ts'

export const rateSources = ['partner', 'link', 'account'] as const

/**
 * All that explains one entry. `sale`, `lead`, `match` and `rate` are null for an adjustment; to a partner `lead` and
 * `click` are null for another partner's lead. `hold` stands while the entry is held or on hold, its `until` null while
 * a dispute is open; the rate's `source` is null for a sale older than its record. `corrections` are what later took from
 * an earned entry or gave back to it.
 */
export const Receipt = z
  .object({
    entry: Entry,
    sale: Sale.nullable(),
    lead: Lead.nullable(),
    click: z
      .object({
        id: Id,
        at: Instant,
        blueprintId: Id.nullable(),
        linkName: z.string().nullable(),
        referrer: z.string().nullable(),
        landingPath: z.string().nullable(),
      })
      .nullable(),
    match: SaleMatch.nullable(),
    rate: z.object({ percent: z.number(), source: z.enum(rateSources).nullable(), layer: z.int() }).nullable(),
    hold: z.object({ until: Instant.nullable(), reason: z.string() }).nullable(),
    payout: z
      .object({
        id: Id,
        number: z.int(),
        status: PayoutStatus,
        paidAt: Instant.nullable(),
        destination: z.string().nullable(),
      })
      .nullable(),
    corrections: z.array(Entry),
  })
  .meta({ id: 'Receipt' })
export type Receipt = z.infer<typeof Receipt>

export const getReceipt = endpoint({
  name: 'getReceipt',
  method: 'GET',
  path: '/commissions/:id',
  summary: 'Retrieve the receipt of a commission entry: everything that explains its amount',
  allow: ['owner', 'partner'],
  limit: apiLimit,
  subject: 'commission',
  params: IdParams,
  reply: Receipt,
})
