import { withLanguage } from '#contract/language.ts'
import { type RefusalCode, statusByCode } from '#contract/refusal-codes.ts'
import { type RefusalReason, refusals, type ValueOf } from '#contract/refusals.ts'
import { translateSentence } from '#contract/sentences.ts'
import { findTranslation } from '#contract/words.ts'

type Values = Record<string, string | number>
/** A function formats its value in the language of the reader; in `values` it is English. */
type Given = Record<string, string | number | (() => string)>
type ValuesFor<R extends RefusalReason> = [ValueOf<R>] extends [never]
  ? []
  : [values: Record<ValueOf<R>, Given[string]>]
type More = { fields?: Record<string, string>; details?: Record<string, unknown>; retryAfter?: number }

/** An expected refusal, not a failure: a sentence with the problem and the remedy. `retryAfter` in seconds. */
export class Refusal extends Error {
  readonly reason: RefusalReason
  readonly code: RefusalCode
  readonly values: Values | undefined
  readonly fields: Record<string, string> | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfter: number | undefined
  readonly #given: Given | undefined

  private constructor(reason: RefusalReason, given: Given | undefined, more: More = {}) {
    const values = given && withLanguage('en', () => valuesOf(given))
    super(fillIn(refusals[reason][1], values))
    this.reason = reason
    this.code = refusals[reason][0]
    this.#given = given
    this.values = values
    this.fields = more.fields
    this.details = more.details
    this.retryAfter = more.retryAfter
  }

  get status() {
    return statusByCode[this.code]
  }

  static of<R extends RefusalReason>(reason: R, ...given: [...ValuesFor<R>, more?: More]) {
    const [values, more] = (namesValues(reason) ? given : [undefined, ...given]) as unknown[] as [Given?, More?]
    return new Refusal(reason, values, more)
  }

  static ofField<R extends RefusalReason>(field: string, reason: R, ...[given]: ValuesFor<R>) {
    const { message } = new Refusal(reason, given)
    return new Refusal(reason, given, { fields: { [field]: message } })
  }

  /** Returns the sentences in the current language; English without a translation. */
  inWords(): { message: string; fields: Record<string, string> | undefined } {
    const sentence = findTranslation('refusals', this.reason)
    const message = sentence === undefined ? this.message : fillIn(sentence, this.#given && valuesOf(this.#given))
    const fields = this.fields && Object.entries(this.fields)
    return {
      message,
      fields:
        fields &&
        Object.fromEntries(
          fields.map(([name, text]) => [name, text === this.message ? message : translateSentence(text)]),
        ),
    }
  }
}

/** Creates a refusal by its reason in the catalogue, with the values of its sentence. */
export const refusal = Refusal.of

/** Creates the refusal of one wrong field of a body, in words. */
export const wrongField = Refusal.ofField

export const notFound = () => refusal('not_found')

const namesValues = (reason: RefusalReason) => refusals[reason][1].includes('{{')

const valuesOf = (given: Given): Values =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'function' ? value() : value]),
  )

/** Fills in values: `mistake` is a schema's sentence, the others are data. */
const fillIn = (sentence: string, values: Values = {}) =>
  sentence.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    name === 'mistake' ? translateSentence(String(values[name])) : String(values[name]),
  )

/** Formats an error for the wire (api.md, section 1), its sentences in the current language. */
export function refusalBody(refused: Refusal) {
  const { code, reason, values, details } = refused
  const { message, fields } = refused.inWords()
  return {
    code,
    reason,
    message,
    ...(values && { values }),
    ...(fields && { fields }),
    ...(details && { details }),
  }
}

/** Formats a refusal inside an answer, with null for absent parts. */
export const rowError = (refused: Refusal) => ({ values: null, fields: null, details: null, ...refusalBody(refused) })
