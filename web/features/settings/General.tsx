import { useQuery } from '@tanstack/react-query'
import { type Account, AccountChange } from '#contract/accounts.ts'
import { formatDate, formatZone, todayIn } from '../../format.ts'
import { currencyChoices } from '../../shared/currencies.ts'
import { FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'
import { ExchangeRates } from './ExchangeRates.tsx'
import { AccountForm, Effect } from './form.tsx'
import { hasSales } from './queries.ts'

const valuesOf = ({ name, defaultCurrency, timeZone }: Account) => ({
  name: name ?? '',
  defaultCurrency: defaultCurrency as string | null,
  timeZone: timeZone as string | null,
})

/** Name, currency and time zone; below, the exchange rates. */
export function General({ account }: { account: Account }) {
  const form = useContractForm(AccountChange, { initial: valuesOf(account) })
  const { data: sales, isLoading } = useQuery(hasSales(account.id))
  const locked = (sales?.total ?? 0) > 0
  const timeZone = form.values.timeZone ?? account.timeZone
  return (
    <AccountForm
      account={account}
      form={form}
      valuesOf={valuesOf}
      below={<ExchangeRates account={account} />}
      aside={
        <Effect
          facts={[
            {
              label: t('settings.shownAs'),
              value: form.values.name.trim() || account.owner?.email || account.displayName,
            },
            { label: t('settings.today'), value: formatDate(todayIn(timeZone)) },
            { label: t('settings.dayEnds'), value: t('settings.dayEndsValue', { timeZone: formatZone(timeZone) }) },
          ]}
          note={t('settings.generalEffect')}
        />
      }
    >
      <FormPanel>
        <TextField
          {...form.field('name', t('settings.accountName'))}
          optional
          help={t('settings.accountNameHelp')}
          autoComplete="organization"
        />
        <SelectField
          {...form.field('defaultCurrency', t('settings.currency'))}
          choices={currencyChoices()}
          disabled={locked || isLoading}
          help={t(locked ? 'settings.currencyLocked' : 'settings.currencyHelp')}
        />
        <SelectField
          {...form.field('timeZone', t('settings.timeZone'))}
          choices={zoneChoices(account.timeZone)}
          help={t('settings.fromNowOn')}
        />
      </FormPanel>
    </AccountForm>
  )
}

/** Returns the zones the browser supports, and always the account's own. */
function zoneChoices(own: string) {
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', own])
  return [...zones].sort().map((zone) => ({ value: zone, label: formatZone(zone) }))
}
