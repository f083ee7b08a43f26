import { z } from 'zod'
import { mistakesIn } from '#contract/fields.ts'
import { refusals } from '#contract/refusals.ts'
import { linesAddingUpTo, NewRefundLines, NewSaleLines, sumLines } from '#contract/sales.ts'
import { Country } from '#contract/terms.ts'
import {
  AmountFromZero,
  Currency,
  Email,
  EnteredAmount,
  EnteredInstant,
  ExternalId,
  MOST_OF_REFERRAL,
  optionalText,
  orEmpty,
  requiredText,
} from '#contract/values.ts'
import { FIRST_SALE_DAY } from '../../../program/sales/sale-date.ts'
import { parseJson } from '../parse-values.ts'
import { PaymentProviderError, type ReceivedEvent } from '../provider.ts'

/** Like the API: a payment's `amount` is net of tax and shipping, a refund's or dispute's gross. */
const Payment = z
  .strictObject({
    id: ExternalId,
    amount: AmountFromZero,
    lines: NewSaleLines.nullable().default(null),
    country: orEmpty(Country).default(null),
    taxAmount: AmountFromZero.default(0),
    shippingAmount: AmountFromZero.default(0),
    currency: Currency,
    customerId: optionalText(255).default(null),
    email: orEmpty(Email).default(null),
    name: optionalText(200).default(null),
    clickId: optionalText(MOST_OF_REFERRAL).default(null),
    leadId: optionalText(100).default(null),
    referralCode: optionalText(MOST_OF_REFERRAL).default(null),
    promotionCode: optionalText(100).default(null),
    subscriptionId: optionalText(255).default(null),
    description: optionalText(1000).default(null),
  })
  .refine(({ amount, lines }) => !lines || linesAddingUpTo(amount, lines), {
    path: ['lines'],
    message: refusals.lines_do_not_add_up[1],
  })
export type Payment = z.infer<typeof Payment>

const givenBack = {
  id: ExternalId,
  paymentId: ExternalId,
  currency: Currency.nullable().default(null),
  reason: optionalText(1000).default(null),
}
const Refund = z
  .strictObject({
    ...givenBack,
    amount: EnteredAmount.optional(),
    lines: NewRefundLines.nullable().default(null),
    status: z.enum(['pending', 'succeeded', 'failed', 'canceled']).default('succeeded'),
  })
  .refine(({ amount, lines }) => amount !== undefined || lines?.length, {
    path: ['amount'],
    message: 'Amount is required',
  })
  .refine(({ amount, lines }) => amount === undefined || sumLines(lines ?? []) <= amount, {
    path: ['lines'],
    message: refusals.refund_lines_above_refund[1],
  })
  .transform(({ amount, ...refund }) => ({ ...refund, amount: amount ?? sumLines(refund.lines ?? []) }))
export type Refund = z.infer<typeof Refund>
const Dispute = z.strictObject({
  ...givenBack,
  amount: EnteredAmount,
  status: z.enum(['open', 'won', 'lost']).default('open'),
})
export type Dispute = z.infer<typeof Dispute>

const DAY_MS = 24 * 60 * 60_000

const envelope = { id: requiredText(200), at: EnteredInstant }
const Known = z.discriminatedUnion('type', [
  z.strictObject({ ...envelope, type: z.literal('payment'), payment: Payment }),
  z.strictObject({ ...envelope, type: z.literal('refund'), refund: Refund }),
  z.strictObject({ ...envelope, type: z.literal('dispute'), dispute: Dispute }),
])
export const eventTypes = ['payment', 'refund', 'dispute'] as const

/** Parses an event that `readEvent` has validated. */
export const parseEvent = (body: string): z.infer<typeof Known> => Known.parse(JSON.parse(body))

/** Any other type is an event too; only its envelope is validated. */
const Envelope = z.looseObject({ ...envelope, type: requiredText(100) })

/** Parses an event. Throws ProviderError with the reason for an invalid one. */
export function readEvent(body: string, now: Date): ReceivedEvent {
  const json = parseJson(body)
  if (!json) throw new PaymentProviderError('invalid', 'The event isn’t a JSON object.')
  const isKnown = eventTypes.some((type) => type === json.type)
  const { data: event, error } = (isKnown ? Known : Envelope).safeParse(json)
  if (error) throw new PaymentProviderError('invalid', wordsOf(error))
  if (event.at < FIRST_SALE_DAY || Date.parse(event.at) > now.getTime() + DAY_MS)
    throw new PaymentProviderError('invalid', 'at: Enter a moment from 1970 to tomorrow.')
  return { id: event.id, type: event.type, at: new Date(event.at), account: null, livemode: null, body }
}

function wordsOf(error: z.ZodError): string {
  const { whole, fields } = mistakesIn(error)
  const [named] = Object.entries(fields)
  return named ? `${named[0]}: ${named[1].replace(/\.$/, '')}.` : `${whole ?? 'The event is wrong'}.`
}
