import type { Account } from '#contract/accounts.ts'
import { enterExchangeRate, NewExchangeRate } from '#contract/sales.ts'
import { todayIn } from '../../format.ts'
import { currencyChoices } from '../../shared/currencies.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { DateField, DecimalField, SelectField } from '../../ui/fields.tsx'
import { settingsWords } from '../../words/settings.ts'

type Props = { account: Account; currency: string | null; onClose: () => void }

/** Adds an exchange rate; `currency` is preselected. */
export function AddRate({ account: { id, defaultCurrency, timeZone }, currency, onClose }: Props) {
  const form = useContractForm(NewExchangeRate, {
    initial: { currency, date: todayIn(timeZone), rate: '' as number | string },
  })
  const save = useDialogCall(enterExchangeRate, { done: settingsWords.exchangeRates.done, onClose })
  return (
    <FormDialog
      heading={settingsWords.exchangeRates.add}
      why={settingsWords.exchangeRates.why}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id }, body })}
      onClose={onClose}
    >
      <SelectField
        {...form.field('currency', settingsWords.exchangeRates.currency)}
        choices={currencyChoices().filter(({ value }) => value !== defaultCurrency)}
      />
      <DateField
        {...form.field('date', settingsWords.exchangeRates.date)}
        help={settingsWords.exchangeRates.dateHelp}
      />
      <DecimalField
        {...form.field('rate', settingsWords.exchangeRates.rate)}
        help={settingsWords.exchangeRates.rateHelp({
          from: (form.values.currency ?? '').toUpperCase(),
          to: defaultCurrency.toUpperCase(),
        })}
      />
    </FormDialog>
  )
}
