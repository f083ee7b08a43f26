import { z } from 'zod'

/** A field that a payout method asks for. `refresh`: a change of its value may change what else is asked. */
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
