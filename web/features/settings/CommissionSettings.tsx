import { type Account, AccountChange, type selfReferralPolicies } from '#contract/accounts.ts'
import { minorDigits } from '#contract/money.ts'
import { formatMoney } from '../../format.ts'
import { RateFields, type TypedRates } from '../../shared/CommissionFields.tsx'
import { RatesEffect } from '../../shared/RatesEffect.tsx'
import { FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import type { Fact } from '../../ui/Facts.tsx'
import { NumberField, SelectField } from '../../ui/fields.tsx'
import { shareAtRate } from '../../ui/numbers.ts'
import { commissionWords } from '../../words/commissions.ts'
import { fieldWords } from '../../words/fields.ts'
import { settingsWords } from '../../words/settings.ts'
import { AccountForm, Effect } from './form.tsx'

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
  return (
    <AccountForm
      account={account}
      form={form}
      valuesOf={valuesOf}
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
