import { currencyChoices } from '../../shared/currencies.ts'
import { zoneChoices } from '../../shared/time-zones.ts'
import { SelectField } from '../../ui/fields.tsx'
import { TextField } from '../../ui/form.tsx'
import type { FormWith } from '../../ui/use-form.ts'
import { authWords } from '../../words/auth.ts'
import { basicWords } from '../../words/basic.ts'
import styles from './Company.module.css'

type Props = {
  form: FormWith<{
    name: string
    destinationUrl: string
    defaultCurrency: string
    timeZone: string
    commission: string
  }>
}

/** Fields for the first administrator's own account, usually the next step of a self-hosted setup. */
export function Company({ form: { values, initial, field } }: Props) {
  const currency = field('defaultCurrency', basicWords.fields.defaultCurrency)
  const zone = field('timeZone')
  return (
    <section className={`stack ${styles.company}`} aria-labelledby="company">
      <div>
        <h2 id="company">{authWords.company}</h2>
        <p className="muted">{authWords.companyWhy}</p>
      </div>
      <TextField {...field('name', basicWords.fields.accountName)} autoComplete="organization" optional />
      <TextField
        {...field('destinationUrl', authWords.website)}
        inputMode="url"
        autoComplete="url"
        help={authWords.websiteHelp}
        optional
      />
      <SelectField
        {...currency}
        choices={currencyChoices()}
        help={authWords.currencyHelp}
        onChange={(chosen) => currency.onChange(chosen ?? '')}
      />
      <SelectField
        {...zone}
        choices={zoneChoices(initial.timeZone)}
        help={authWords.timeZoneHelp}
        onChange={(chosen) => zone.onChange(chosen ?? '')}
      />
      <TextField
        {...field('commission', basicWords.fields.commission)}
        inputMode="decimal"
        help={values.commission.trim() ? authWords.commissionHelp : authWords.commissionNone}
        optional
      />
    </section>
  )
}
