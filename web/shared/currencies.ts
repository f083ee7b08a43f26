import { formatTag } from '#contract/language.ts'
import { currencyCodes } from '#contract/money.ts'

/** Returns currencies, by default every one in use, as choices of a `SelectField`: 'USD · US Dollar'. */
export function currencyChoices(codes: readonly string[] = currencyCodes) {
  const names = new Intl.DisplayNames(formatTag(), { type: 'currency' })
  return codes.map((code) => ({
    value: code,
    label: `${code.toUpperCase()} · ${names.of(code.toUpperCase())}`,
  }))
}
