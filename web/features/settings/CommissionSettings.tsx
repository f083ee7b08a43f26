import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Account, AccountChange, type selfReferralPolicies } from '#contract/accounts.ts'
import { minorDigits } from '#contract/money.ts'
import type { TermsState } from '#contract/terms.ts'
import { formatDateAt, formatMoney } from '../../format.ts'
import { RateFields, type TypedRates } from '../../shared/CommissionFields.tsx'
import { RatesEffect } from '../../shared/RatesEffect.tsx'
import { accountStats } from '../../shell/queries.ts'
import { FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import type { Fact } from '../../ui/Facts.tsx'
import { NumberField, SelectField } from '../../ui/fields.tsx'
import { shareAtRate } from '../../ui/numbers.ts'
import { commissionWords } from '../../words/commissions.ts'
import { fieldWords } from '../../words/fields.ts'
import { settingsWords } from '../../words/settings.ts'
import { termsWords } from '../../words/terms.ts'
import { AccountForm, Effect, saySaved } from './form.tsx'
import { accountTerms } from './queries.ts'
import { SaveTerms } from './SaveTerms.tsx'

type Policy = (typeof selfReferralPolicies)[number]
const policies: readonly Policy[] = ['allow', 'flag', 'hold', 'refuse']

const valuesOf = ({ defaultCommissionSettings, recurringMonths, selfReferralPolicy }: Account) => ({
  defaultCommissionSettings: { layerRates: defaultCommissionSettings.layerRates as TypedRates },
  recurringMonths: (recurringMonths ?? '') as number | string,
  selfReferralPolicy: selfReferralPolicy as Policy | null,
})

/** Rates by layer, and which sales earn. */
export function CommissionSettings({ account }: { account: Account }) {
  const form = useContractForm(AccountChange, { initial: valuesOf(account) })
  const { layerRates } = form.values.defaultCommissionSettings
  const { data: stats } = useQuery(accountStats(account.id))
  const { data: terms } = useQuery(accountTerms(account.id))
  const [asked, setAsked] = useState<Asked>()

  /** Saves rates with the answer to whom they apply, and everything else as it is; the first customer asks first. */
  function ask(changes: AccountChange, save: Asked['save']) {
    if (changes.defaultCommissionSettings && stats?.numberOfLeads !== 0) setAsked({ changes, save })
    else save(changes)
  }
  function saveOthers({ changes: { defaultCommissionSettings, ...others }, save }: Asked) {
    if (Object.keys(others).length > 0) return save(others)
    form.saved({ ...valuesOf(account), ...form.values })
    saySaved()
  }

  return (
    <AccountForm
      account={account}
      form={form}
      valuesOf={valuesOf}
      ask={ask}
      below={
        asked && (
          <SaveTerms
            accountId={account.id}
            layerRates={asked.changes.defaultCommissionSettings!.layerRates}
            onSaved={() => saveOthers(asked)}
            onClose={() => setAsked(undefined)}
          />
        )
      }
      aside={<Effect facts={splitOf(layerRates, account.defaultCurrency)} note={settingsWords.commissionEffect} />}
    >
      <FormPanel heading={settingsWords.ratesHeading}>
        <RateFields
          list={form.field('defaultCommissionSettings.layerRates', commissionWords.allLayers)}
          rateAt={(at, label) => form.field(`defaultCommissionSettings.layerRates.${at}`, label)}
          currency={account.defaultCurrency}
        />
        <RatesEffect
          accountId={account.id}
          of={{}}
          saved={account.defaultCommissionSettings}
          typed={form.values.defaultCommissionSettings}
        />
        {terms && <p className="muted small">{versionInWords(terms, account.timeZone)}</p>}
      </FormPanel>
      <FormPanel heading={settingsWords.rulesHeading}>
        <NumberField {...form.field('recurringMonths')} optional help={settingsWords.recurringHelp} />
        <SelectField
          {...form.field('selfReferralPolicy')}
          choices={policies.map((policy) => ({ value: policy, label: settingsWords.selfReferral[policy] }))}
          help={settingsWords.selfReferralsHelp}
        />
      </FormPanel>
    </AccountForm>
  )
}

/** Rates to save, and how to save what else changed. */
type Asked = { changes: AccountChange; save: (changes: AccountChange) => void }

function versionInWords({ version, savedAt, savedBy }: TermsState, timeZone: string) {
  const given = { version: version!, date: formatDateAt(savedAt!, timeZone) }
  return savedBy ? termsWords.saved({ ...given, by: savedBy }) : termsWords.savedByNobody(given)
}

/** Returns the split of a sale of $100.00. */
function splitOf(rates: TypedRates, currency: string): Fact[] {
  const sale = 100 * 10 ** minorDigits(currency)
  const money = (amount: number) => formatMoney(amount, currency)
  const shares = rates.map((rate) => (typeof rate === 'number' ? shareAtRate(sale, rate) : 0))
  const who = (at: number) =>
    at === 0 ? settingsWords.referrer : at === 1 ? fieldWords.parentPartnerId : settingsWords.above({ number: at })
  return [
    { label: fieldWords.sale, value: money(sale) },
    ...shares.map((share, at) => ({ label: who(at), value: money(share) })),
    { label: settingsWords.yours, value: money(sale - shares.reduce((sum, share) => sum + share, 0)), strong: true },
  ]
}
