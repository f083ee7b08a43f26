import { type Rule, required } from '../../ui/use-form.ts'
import { authWords } from '../../words/auth.ts'
import { basicWords } from '../../words/basic.ts'

/** Requires both password entries to match. */
export const repeated: Rule<{ password: string }> = (value, _label, { password }) =>
  value === password ? undefined : basicWords.rules.same

/** A percentage with at most four decimals, or nothing. */
export const rate: Rule<unknown> = (value) =>
  value.trim() === '' || (/^\d{1,3}(\.\d{1,4})?$/.test(value.trim()) && Number(value) <= 100)
    ? undefined
    : basicWords.rules.rate

/** A whole address, as of a link's destination, or nothing. */
export const webAddress: Rule<unknown> = (value) =>
  value.trim() === '' || URL.parse(value)?.protocol === 'https:' ? undefined : authWords.websiteWrong

/** Asks for the account's name if more about it was entered, which would be lost. */
export const nameOfCompany: Rule<{ destinationUrl: string; commission: string }> = (name, label, values) =>
  values.destinationUrl.trim() || values.commission.trim() ? required(name, label, values) : undefined

/** Applies the rule only if an account name was entered. */
export const ifCompany =
  <V extends { name: string }>(rule: Rule<V>): Rule<V> =>
  (value, label, values) =>
    values.name.trim() ? rule(value, label, values) : undefined
