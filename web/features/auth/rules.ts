import type { Rule } from '../../ui/use-form.ts'
import { basicWords } from '../../words/basic.ts'

/** Requires both password entries to match. */
export const repeated: Rule<{ password: string }> = (value, _label, { password }) =>
  value === password ? undefined : basicWords.rules.same

/** A percentage with at most four decimals. */
export const rate: Rule<unknown> = (value) =>
  /^\d{1,3}(\.\d{1,4})?$/.test(value.trim()) && Number(value) <= 100 ? undefined : basicWords.rules.rate

/** Applies the rule only if an account name was entered. */
export const ifCompany =
  <V extends { name: string }>(rule: Rule<V>): Rule<V> =>
  (value, label, values) =>
    values.name.trim() ? rule(value, label, values) : undefined
