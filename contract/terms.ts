import { z } from 'zod'
import { CommissionSettings, EnteredAmount } from './values.ts'

/**
 * What one sale pays: the percentages by layer of every sale that no rule matches. Immutable: a change is the next
 * version of its account, link or partner.
 */
export const Terms = z
  .strictObject({
    rules: z.array(z.never()).max(0),
    otherwise: CommissionSettings,
    maxPerCustomer: EnteredAmount.nullable(),
    maxPerMonth: EnteredAmount.nullable(),
  })
  .meta({ id: 'Terms' })
export type Terms = z.infer<typeof Terms>
