import { currencyCodes } from '#contract/money.ts'

/** Returns every currency in use as a choice of a `SelectField`: 'USD · US Dollar'. */
export function currencyChoices() {
  const names = new Intl.DisplayNames('en-US', { type: 'currency' })
  return currencyCodes.map((code) => ({
    value: code,
    label: `${code.toUpperCase()} · ${names.of(code.toUpperCase())}`,
  }))
}
