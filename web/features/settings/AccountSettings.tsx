import { useOwnAccount } from '../../shell/current.ts'
import { Page } from '../../ui/Page.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { t } from '../../words.ts'
import { Attribution } from './Attribution.tsx'
import { Commission } from './Commission.tsx'
import { General } from './General.tsx'
import { Partners } from './Partners.tsx'
import { Payouts } from './Payouts.tsx'
import { tabs } from './queries.ts'

const panels = {
  general: General,
  commission: Commission,
  attribution: Attribution,
  partners: Partners,
  payouts: Payouts,
}

/** What the owner decides for the account, a form a tab, its effect beside it. */
export function AccountSettings() {
  const account = useOwnAccount()
  const tab = useTab(tabs)
  const Panel = panels[tab]
  return (
    <Page heading={t('pages.settings')}>
      <Tabs label={t('settings.tabs')} tabs={tabs.map((key) => ({ key, label: t(`settings.${key}`) }))} current={tab}>
        <Panel key={`${account.id} ${tab}`} account={account} />
      </Tabs>
    </Page>
  )
}
