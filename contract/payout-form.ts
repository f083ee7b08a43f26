import { z } from 'zod'
import { detailKinds } from './detail-kinds.ts'
import { endpoint } from './endpoint.ts'
import { Country, CurrencyChoice, LocalBankDetails } from './payout-details.ts'
import { partnerCall } from './payouts.ts'

/** A field that a payout method requires. `refresh`: a change of its value may change the other fields. */
export const PayoutField = z
  .object({
    key: z.string(),
    label: z.string(),
    input: z.enum(['text', 'select', 'date']),
    required: z.boolean(),
    minLength: z.int().nullable(),
    maxLength: z.int().nullable(),
    example: z.string().nullable(),
    options: z.array(z.object({ value: z.string(), label: z.string() })),
    refresh: z.boolean(),
  })
  .meta({ id: 'PayoutField' })
export type PayoutField = z.infer<typeof PayoutField>

/** A kind of bank account, in the words of the payout method. */
export const PayoutFieldSet = z
  .object({ type: z.string(), title: z.string(), fields: z.array(PayoutField) })
  .meta({ id: 'PayoutFieldSet' })
export type PayoutFieldSet = z.infer<typeof PayoutFieldSet>

/**
 * Choices of payout details: the `kinds` that the program pays to, the countries that these reach, each with its usual
 * currency, and the fields of `types` of account, if its payout method defines them.
 */
export const PayoutForm = z
  .object({
    kinds: z.array(z.enum(detailKinds)),
    countries: z.array(z.object({ code: z.string(), name: z.string(), currency: z.string() })),
    types: z.array(PayoutFieldSet),
  })
  .meta({ id: 'PayoutForm' })
export type PayoutForm = z.infer<typeof PayoutForm>

/** Each call may call a provider. */
const limit = { name: 'payout-form', perMinute: 20, by: 'subject' } as const

export const getPayoutForm = endpoint('getPayoutForm', 'GET /partners/:id/payout-form', {
  tag: 'partners',
  summary: 'Retrieve what can be entered as payout details; of a local bank account, its fields',
  ...partnerCall,
  limit,
  allow: ['partner'],
  query: z.strictObject({
    kind: z.enum(detailKinds).optional(),
    country: Country.optional(),
    currency: CurrencyChoice.optional(),
  }),
  reply: PayoutForm,
  transaction: 'own',
})

export const previewPayoutForm = endpoint('previewPayoutForm', 'POST /partners/:id/payout-form', {
  tag: 'partners',
  summary: 'Retrieve the fields of a local bank account for what was entered so far; saves nothing',
  ...partnerCall,
  limit,
  allow: ['partner'],
  whileInactive: true,
  body: LocalBankDetails,
  reply: PayoutForm,
  writesNothing: true,
  transaction: 'own',
})
