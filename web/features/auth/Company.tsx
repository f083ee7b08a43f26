import { currencyChoices } from '../../shared/currencies.ts'
import type { FieldProps } from '../../ui/contract-form.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { TextField } from '../../ui/form.tsx'
import { t } from '../../words.ts'
import styles from './Company.module.css'

type Name = 'name' | 'defaultCurrency' | 'commission'

/** Fields for the first administrator's own account, usually the next step of a self-hosted setup. */
export function Company({ field }: { field: (name: Name) => FieldProps<string> }) {
  const currency = field('defaultCurrency')
  return (
    <section className={styles.company} aria-labelledby="company">
      <h2 id="company">{t('auth.company')}</h2>
      <p>{t('auth.companyWhy')}</p>
      <TextField {...field('name')} autoComplete="organization" optional />
      <SelectField
        {...currency}
        choices={currencyChoices()}
        help={t('auth.currencyHelp')}
        onChange={(chosen) => currency.onChange(chosen ?? '')}
      />
      <TextField {...field('commission')} inputMode="decimal" right="%" help={t('auth.commissionHelp')} />
    </section>
  )
}
