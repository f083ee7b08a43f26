import type { Account } from '#contract/accounts.ts'
import { enterExchangeRate, NewExchangeRate } from '#contract/sales.ts'
import { todayIn } from '../../format.ts'
import { currencyChoices } from '../../shared/currencies.ts'
import { exposeAction } from '../../ui/actions.tsx'
import { DateField, DecimalField, SelectField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { settingsWords } from '../../words/settings.ts'

/** Adds an exchange rate; `currency` is preselected. */
export const AddRate = exposeAction(
  defineFormAction(
    enterExchangeRate,
    NewExchangeRate,
    ({ defaultCurrency, timeZone, currency }: Account & { currency: string | null }) => ({
      heading: settingsWords.exchangeRates.add,
      why: settingsWords.exchangeRates.why,
      done: settingsWords.exchangeRates.done,
      initial: { currency, date: todayIn(timeZone), rate: '' as number | string },
      fields: ({ field, values }) => (
        <>
          <SelectField
            {...field('currency')}
            choices={currencyChoices().filter(({ value }) => value !== defaultCurrency)}
          />
          <DateField {...field('date')} help={settingsWords.exchangeRates.dateHelp} />
          <DecimalField
            {...field('rate')}
            help={settingsWords.exchangeRates.rateHelp({
              from: (values.currency ?? '').toUpperCase(),
              to: defaultCurrency.toUpperCase(),
            })}
          />
        </>
      ),
    }),
  ),
  { label: settingsWords.exchangeRates.add },
)
