import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { mergeParts } from '#contract/merge-parts.ts'
import * as features from '#features/index.web.ts'
import { Activity } from '../../shared/Activity.tsx'
import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { useOwnAccount } from '../../shell/current.ts'
import { settingsTabs } from '../../shell/destinations.ts'
import { accountStatsQuery } from '../../shell/queries.ts'
import { SelectField } from '../../ui/fields.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { useAddress } from '../../ui/useAddress.ts'
import { basicWords } from '../../words/basic.ts'
import { settingsWords } from '../../words/settings.ts'
import { pageWords } from '../../words/shell.ts'
import { General } from './General.tsx'

const Applications = lazyComponent(async () => (await import('./Applications.tsx')).Applications)
const Attribution = lazyComponent(async () => (await import('./Attribution.tsx')).Attribution)
const Branding = lazyComponent(async () => (await import('./Branding.tsx')).Branding)
const CommissionSettings = lazyComponent(async () => (await import('./CommissionSettings.tsx')).CommissionSettings)
const FraudRules = lazyComponent(async () => (await import('./FraudRules.tsx')).FraudRules)
const Invoicing = lazyComponent(async () => (await import('./Invoicing.tsx')).Invoicing)
const Data = lazyComponent(async () => (await import('./Data.tsx')).Data)
const PayoutMethods = lazyComponent(async () => (await import('./PayoutMethods.tsx')).PayoutMethods)
const PayoutSettings = lazyComponent(async () => (await import('./PayoutSettings.tsx')).PayoutSettings)
const Partners = lazyComponent(async () => (await import('./Partners.tsx')).Partners)
const People = lazyComponent(async () => (await import('./People.tsx')).People)
const Program = lazyComponent(async () => (await import('./Program.tsx')).Program)

type Panel = (props: { account: Account }) => ReactNode

const panels: Record<(typeof settingsTabs)[number], Panel> = {
  general: General,
  people: People,
  commission: CommissionSettings,
  attribution: Attribution,
  'fraud-rules': FraudRules,
  partners: Partners,
  program: Program,
  applications: Applications,
  branding: Branding,
  ...mergeParts(features, 'settings'),
  payouts: PayoutSettings,
  'payout-methods': PayoutMethods,
  invoices: Invoicing,
  data: Data,
  activity: ({ account }) => <Activity account={account} page={pageWords.settings} />,
}

/** The account's settings: one form per tab, with its effect next to it. */
export function AccountSettings() {
  const account = useOwnAccount()
  const { data: stats } = useQuery(accountStatsQuery(account.id))
  const { change } = useAddress()
  const tab = useTab(settingsTabs)
  const Panel = panels[tab]
  const title = basicWords.titleIn({ tab: settingsWords[tab], entry: pageWords.settings })
  return (
    <Page heading={pageWords.settings} title={title}>
      <Tabs
        label={settingsWords.tabs}
        tabs={settingsTabs.map((key) => ({ key, label: settingsWords[key] }))}
        current={tab}
        column={
          <SelectField
            id="settings-section"
            name="section"
            label={settingsWords.section}
            onBlur={() => undefined}
            value={tab}
            choices={settingsTabs.map((value) => ({ value, label: settingsWords[value] }))}
            onChange={(chosen) => change({ tab: chosen ?? undefined }, { push: true })}
          />
        }
      >
        <HowItWorks of={tab} unused={stats?.numberOfPartners === 0} />
        <Panel key={`${account.id} ${tab}`} account={account} />
      </Tabs>
    </Page>
  )
}
