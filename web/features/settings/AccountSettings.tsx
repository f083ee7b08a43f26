import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { Activity } from '../../shared/Activity.tsx'
import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { useOwnAccount } from '../../shell/current.ts'
import { settingsTabs } from '../../shell/destinations.ts'
import { accountStatsQuery } from '../../shell/queries.ts'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { settingsWords } from '../../words/settings.ts'
import { pageWords } from '../../words/shell.ts'
import { CommissionSettings } from './CommissionSettings.tsx'
import { General } from './General.tsx'

const Attribution = lazyComponent(async () => (await import('./Attribution.tsx')).Attribution)
const Invoicing = lazyComponent(async () => (await import('./Invoicing.tsx')).Invoicing)
const Data = lazyComponent(async () => (await import('./Data.tsx')).Data)
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
  partners: Partners,
  program: Program,
  payouts: PayoutSettings,
  invoices: Invoicing,
  data: Data,
  activity: ({ account }) => <Activity account={account} page={pageWords.settings} />,
}

/** The account's settings: one form per tab, with its effect next to it. */
export function AccountSettings() {
  const account = useOwnAccount()
  const { data: stats } = useQuery(accountStatsQuery(account.id))
  const tab = useTab(settingsTabs)
  const Panel = panels[tab]
  return (
    <Page heading={pageWords.settings}>
      <Tabs
        label={settingsWords.tabs}
        tabs={settingsTabs.map((key) => ({ key, label: settingsWords[key] }))}
        current={tab}
      >
        <HowItWorks of={tab} unused={stats?.numberOfPartners === 0} />
        <Panel key={`${account.id} ${tab}`} account={account} />
      </Tabs>
    </Page>
  )
}
