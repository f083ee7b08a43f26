import { useQuery } from '@tanstack/react-query'
import { type Account, AccountChange } from '#contract/accounts.ts'
import { minorDigits } from '#contract/money.ts'
import { changeAccountTerms, Terms, type TermsState } from '#contract/terms.ts'
import { termsSentence } from '#contract/terms-sentence.ts'
import { shareAtRate } from '#contract/typed-numbers.ts'
import { formatMoney } from '../../format.ts'
import { RatesEffect } from '../../shared/RatesEffect.tsx'
import { TermsEditor } from '../../shared/TermsEditor.tsx'
import { SavedVersion } from '../../shared/TermsHistory.tsx'
import { TermsSentences } from '../../shared/TermsSentences.tsx'
import { getPayKind, sentenceWordingFor, type TermsValue, termsStateQuery } from '../../shared/terms.ts'
import { accountStatsQuery } from '../../shell/queries.ts'
import { FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import type { Fact } from '../../ui/Facts.tsx'
import { NumberField } from '../../ui/fields.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { fieldWords } from '../../words/fields.ts'
import { settingsWords } from '../../words/settings.ts'
import { AccountForm, Effect } from './form.tsx'

const Changes = AccountChange.pick({ recurringMonths: true }).extend({ terms: Terms })

const valuesOf = ({ recurringMonths }: Account) => ({ recurringMonths: (recurringMonths ?? '') as number | string })

/** Terms, and which sales earn. */
export function CommissionSettings({ account }: { account: Account }) {
  const answer = useQuery(termsStateQuery({ of: 'account', id: account.id }))
  const { data } = answer
  if (data?.own) return <Loaded account={account} state={data} own={data.own} />
  return (
    <Panel heading={settingsWords.ratesHeading}>
      <Pending answer={answer} rows={6} />
    </Panel>
  )
}

function Loaded({ account, state, own }: { account: Account; state: TermsState; own: Terms }) {
  const form = useContractForm(Changes, { initial: { terms: own as TermsValue, ...valuesOf(account) } })
  const { terms, recurringMonths: months } = form.values
  const may = usePermission()
  const subject = { of: 'account', id: account.id } as const
  const { data: stats } = useQuery(accountStatsQuery(account.id))
  const version = (
    <SavedVersion subject={subject} account={account} onUse={(used) => used && form.set({ terms: used })} />
  )

  return (
    <AccountForm
      account={account}
      form={form}
      valuesOf={valuesOf}
      state={state}
      hasCustomers={stats?.numberOfLeads !== 0}
      below={!may(changeAccountTerms) && version}
      aside={<Effect facts={splitOf(terms, account.defaultCurrency)} note={settingsWords.commissionEffect} />}
    >
      <FormPanel heading={settingsWords.ratesHeading}>
        {may(changeAccountTerms) ? (
          <>
            <TermsEditor
              form={form}
              account={account}
              recurringMonths={typeof months === 'number' ? months : null}
              base={<NumberField {...form.field('recurringMonths')} optional help={settingsWords.recurringHelp} />}
            />
            <RatesEffect accountId={account.id} subject={subject} saved={own} typed={terms} />
            {version}
          </>
        ) : (
          <>
            <p className="strong">{termsSentence(own, sentenceWordingFor(account))}</p>
            <TermsSentences terms={own} currency={account.defaultCurrency} />
            <NumberField {...form.field('recurringMonths')} optional help={settingsWords.recurringHelp} />
          </>
        )}
      </FormPanel>
    </AccountForm>
  )
}

/** Returns the split of a sale of $100.00 that no rule pays. */
function splitOf({ rules, otherwise }: TermsValue, currency: string): Fact[] {
  const sale = 100 * 10 ** minorDigits(currency)
  const money = (amount: number) => formatMoney(amount, currency)
  const kind = getPayKind(otherwise)
  let kept = sale
  const shares = (otherwise[kind] ?? []).map((pay) => {
    const wanted = typeof pay !== 'number' ? 0 : kind === 'layerRates' ? shareAtRate(sale, pay) : pay
    const share = Math.min(kept, wanted)
    kept -= share
    return share
  })
  const who = (at: number) =>
    at === 0 ? settingsWords.referrer : at === 1 ? fieldWords.parentPartnerId : settingsWords.above({ number: at })
  return [
    { label: rules.length > 0 ? settingsWords.otherSale : fieldWords.sale, value: money(sale) },
    ...shares.map((share, at) => ({ label: who(at), value: money(share) })),
    { label: settingsWords.yours, value: money(kept), strong: true },
  ]
}
