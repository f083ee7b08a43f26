import { addLead, LeadList } from '../features/leads/LeadList.tsx'
import { RevenueLines } from '../features/sales/RevenueLines.tsx'
import { UnattributedSales } from '../features/sales/UnattributedSales.tsx'
import { useAccount, useAccountRole } from '../shell/current.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Page } from '../ui/Page.tsx'
import { Tabs, useTab } from '../ui/Tabs.tsx'
import { t } from '../words.ts'

const tabs = ['leads', 'sales', 'unattributed'] as const
export type LeadTab = (typeof tabs)[number]

/** All leads, what their sales add up to, and the sales that nobody is credited for; to a partner their own leads alone. */
export function Leads() {
  const role = useAccountRole()
  const account = useAccount()
  const tab = useTab(tabs)
  if (role.type !== 'account-owner') {
    return (
      <Page heading={t('pages.leads')} actions={account.partnerLeadSubmission && addLead}>
        <LeadList role={role} />
      </Page>
    )
  }
  const words = {
    leads: { label: t('pages.leads') },
    sales: { label: t('sales.heading') },
    unattributed: { label: t('leads.unattributed') },
  }
  return (
    <Page
      heading={t('pages.leads')}
      actions={
        <>
          <LinkButton to="/account/import" search={{ kind: tab === 'leads' ? 'leads' : 'sales' }}>
            {t('pages.import')}
          </LinkButton>
          {addLead}
        </>
      }
    >
      <Tabs label={t('leads.tabs')} tabs={tabs.map((key) => ({ key, ...words[key] }))} current={tab}>
        {tab === 'leads' && <LeadList role={role} />}
        {tab === 'sales' && <RevenueLines account={account} />}
        {tab === 'unattributed' && <UnattributedSales account={account} />}
      </Tabs>
    </Page>
  )
}
