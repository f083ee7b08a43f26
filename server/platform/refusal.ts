import { type RefusalCode, type RefusalReason, refusals, statusByCode, type ValueOf } from '#contract/refusals.ts'

type Values = Record<string, string | number>
type ValuesFor<R extends RefusalReason> = [ValueOf<R>] extends [never]
  ? []
  : [values: Record<ValueOf<R>, string | number>]
type More = { fields?: Record<string, string>; details?: Record<string, unknown>; retryAfter?: number }

/** An expected refusal, not a failure: a sentence with the problem and the remedy. `retryAfter` in seconds. */
export class Refusal extends Error {
  readonly reason: RefusalReason
  readonly code: RefusalCode
  readonly values: Values | undefined
  readonly fields: Record<string, string> | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfter: number | undefined

  private constructor(reason: RefusalReason, values: Values | undefined, more: More = {}) {
    super(sentenceOf(reason, values))
    this.reason = reason
    this.code = refusals[reason][0]
    this.values = values
    this.fields = more.fields
    this.details = more.details
    this.retryAfter = more.retryAfter
  }

  get status() {
    return statusByCode[this.code]
  }

  static of<R extends RefusalReason>(reason: R, ...given: [...ValuesFor<R>, more?: More]) {
    const [values, more] = (namesValues(reason) ? given : [undefined, ...given]) as unknown[] as [Values?, More?]
    return new Refusal(reason, values, more)
  }

  static ofField<R extends RefusalReason>(field: string, reason: R, ...[values]: ValuesFor<R>) {
    return new Refusal(reason, values, { fields: { [field]: sentenceOf(reason, values) } })
  }
}

/** Creates a refusal by its reason in the catalogue, with the values of its sentence. */
export const refusal = Refusal.of

/** Creates the refusal of one wrong field of a body, in words. */
export const wrongField = Refusal.ofField

export const notFound = () => refusal('not_found')

const namesValues = (reason: RefusalReason) => refusals[reason][1].includes('{{')

const sentenceOf = (reason: RefusalReason, values: Values = {}) =>
  refusals[reason][1].replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))

/** Formats an error for the wire (api.md, section 1). */
export const refusalBody = ({ code, reason, message, values, fields, details }: Refusal) => ({
  code,
  reason,
  message,
  ...(values && { values }),
  ...(fields && { fields }),
  ...(details && { details }),
})

/** Formats a refusal inside an answer, with null for absent parts. */
export const rowError = (refused: Refusal) => ({ values: null, fields: null, details: null, ...refusalBody(refused) })
