import { currencyChoices } from '../../shared/currencies.ts'
import { SelectField } from '../../ui/fields.tsx'
import { TextField } from '../../ui/form.tsx'
import type { FormWith } from '../../ui/use-form.ts'
import { t } from '../../words.ts'
import styles from './Company.module.css'

type Props = { form: FormWith<{ name: string; defaultCurrency: string; commission: string }> }

/** Fields for the first administrator's own account, usually the next step of a self-hosted setup. */
export function Company({ form: { field } }: Props) {
  const currency = field('defaultCurrency', t('fields.defaultCurrency'))
  return (
    <section className={styles.company} aria-labelledby="company">
      <h2 id="company">{t('auth.company')}</h2>
      <p>{t('auth.companyWhy')}</p>
      <TextField {...field('name', t('fields.accountName'))} autoComplete="organization" optional />
      <SelectField
        {...currency}
        choices={currencyChoices()}
        help={t('auth.currencyHelp')}
        onChange={(chosen) => currency.onChange(chosen ?? '')}
      />
      <TextField
        {...field('commission', t('fields.commission'))}
        inputMode="decimal"
        right="%"
        help={t('auth.commissionHelp')}
      />
    </section>
  )
}
