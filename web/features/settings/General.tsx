import { useQuery } from '@tanstack/react-query'
import { type Account, AccountChange } from '#contract/accounts.ts'
import { rights } from '#contract/endpoint.ts'
import { formatDate, formatZone, todayIn } from '../../format.ts'
import { currencyChoices } from '../../shared/currencies.ts'
import { LanguageField, PageLanguagesField } from '../../shared/LanguageFields.tsx'
import { zoneChoices } from '../../shared/time-zones.ts'
import { FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { accountLanguageWords } from '../../words/account-languages.ts'
import { labelWords } from '../../words/fields.ts'
import { settingsWords } from '../../words/settings.ts'
import { ExchangeRates } from './ExchangeRates.tsx'
import { AccountForm, Effect } from './form.tsx'
import { hasSalesQuery } from './queries.ts'

/** Name, currency, time zone and languages are the owners' to change (contract/accounts.ts). */
const ofOwners = { allow: rights.own }

const valuesOf = ({ name, defaultCurrency, timeZone, language, pageLanguages }: Account) => ({
  name: name ?? '',
  defaultCurrency: defaultCurrency as string | null,
  timeZone: timeZone as string | null,
  language: language as string | null,
  pageLanguages,
})

/** Name, currency, time zone and languages; below, the exchange rates. */
export function General({ account }: { account: Account }) {
  const form = useContractForm(AccountChange, { initial: valuesOf(account) })
  const { data: sales, isLoading } = useQuery(hasSalesQuery(account.id))
  const locked = (sales?.total ?? 0) > 0
  const timeZone = form.values.timeZone ?? account.timeZone
  return (
    <AccountForm
      account={account}
      form={form}
      valuesOf={valuesOf}
      needs={ofOwners}
      below={<ExchangeRates account={account} />}
      aside={
        <Effect
          facts={[
            {
              label: settingsWords.shownAs,
              value: form.values.name.trim() || account.owner?.email || account.displayName,
            },
            { label: settingsWords.today, value: formatDate(todayIn(timeZone)) },
            { label: settingsWords.dayEnds, value: settingsWords.dayEndsValue({ timeZone: formatZone(timeZone) }) },
          ]}
          note={settingsWords.generalEffect}
        />
      }
    >
      <FormPanel>
        <TextField
          {...form.field('name', labelWords.accountName)}
          optional
          help={settingsWords.accountNameHelp}
          autoComplete="organization"
        />
        <SelectField
          {...form.field('defaultCurrency')}
          choices={currencyChoices()}
          disabled={locked || isLoading}
          help={locked ? settingsWords.currencyLocked : settingsWords.currencyHelp}
        />
        <SelectField
          {...form.field('timeZone')}
          choices={zoneChoices(account.timeZone)}
          help={settingsWords.fromNowOn}
        />
        <LanguageField {...form.field('language', accountLanguageWords.language)} help={accountLanguageWords.help} />
        <PageLanguagesField
          {...form.field('pageLanguages', accountLanguageWords.page)}
          base={form.values.language ?? account.language}
        />
      </FormPanel>
    </AccountForm>
  )
}
