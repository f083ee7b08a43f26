import type { Account } from '#contract/accounts.ts'
import { enterExchangeRate, NewExchangeRate } from '#contract/sales.ts'
import { todayIn } from '../../format.ts'
import { currencyChoices } from '../../shared/currencies.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { DateField, DecimalField, SelectField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'

type Props = { account: Account; currency: string | null; onClose: () => void }

/** Adds an exchange rate; `currency` is preselected. */
export function AddRate({ account: { id, defaultCurrency, timeZone }, currency, onClose }: Props) {
  const form = useContractForm(NewExchangeRate, {
    initial: { currency, date: todayIn(timeZone), rate: '' as number | string },
  })
  const save = useDialogCall(enterExchangeRate, { done: t('settings.exchangeRates.done'), onClose })
  return (
    <FormDialog
      heading={t('settings.exchangeRates.add')}
      why={t('settings.exchangeRates.why')}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id }, body })}
      onClose={onClose}
    >
      <SelectField
        {...form.field('currency', t('settings.exchangeRates.currency'))}
        choices={currencyChoices().filter(({ value }) => value !== defaultCurrency)}
      />
      <DateField
        {...form.field('date', t('settings.exchangeRates.date'))}
        help={t('settings.exchangeRates.dateHelp')}
      />
      <DecimalField
        {...form.field('rate', t('settings.exchangeRates.rate'))}
        help={t('settings.exchangeRates.rateHelp', {
          from: (form.values.currency ?? '').toUpperCase(),
          to: defaultCurrency.toUpperCase(),
        })}
      />
    </FormDialog>
  )
}
