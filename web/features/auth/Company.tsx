import { currencyChoices } from '../../shared/currencies.ts'
import { SelectField } from '../../ui/fields.tsx'
import { TextField } from '../../ui/form.tsx'
import type { FormWith } from '../../ui/use-form.ts'
import { authWords } from '../../words/auth.ts'
import { basicWords } from '../../words/basic.ts'
import styles from './Company.module.css'

type Props = { form: FormWith<{ name: string; defaultCurrency: string; commission: string }> }

/** Fields for the first administrator's own account, usually the next step of a self-hosted setup. */
export function Company({ form: { field } }: Props) {
  const currency = field('defaultCurrency', basicWords.fields.defaultCurrency)
  return (
    <section className={`stack ${styles.company}`} aria-labelledby="company">
      <div>
        <h2 id="company">{authWords.company}</h2>
        <p className="muted">{authWords.companyWhy}</p>
      </div>
      <TextField {...field('name', basicWords.fields.accountName)} autoComplete="organization" optional />
      <SelectField
        {...currency}
        choices={currencyChoices()}
        help={authWords.currencyHelp}
        onChange={(chosen) => currency.onChange(chosen ?? '')}
      />
      <TextField
        {...field('commission', basicWords.fields.commission)}
        inputMode="decimal"
        right="%"
        help={authWords.commissionHelp}
      />
    </section>
  )
}
