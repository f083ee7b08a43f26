import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createImport } from '#contract/imports.ts'
import { addLead, LeadList } from '../features/leads/LeadList.tsx'
import { AddSale } from '../features/sales/AddSale.tsx'
import { anyTestSale } from '../features/sales/queries.ts'
import { RevenueLines } from '../features/sales/RevenueLines.tsx'
import { TestSales, UnattributedSales } from '../features/sales/UnattributedSales.tsx'
import { isTeam } from '../shared/roles.ts'
import { useAccount, useAccountRole } from '../shell/current.ts'
import { ActionMenu } from '../ui/ActionMenu.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Page } from '../ui/Page.tsx'
import { Tabs, useTab } from '../ui/Tabs.tsx'
import { caseWords } from '../words/cases.ts'
import { fieldWords } from '../words/fields.ts'
import { leadWords } from '../words/leads.ts'
import { pageWords } from '../words/shell.ts'

const tabs = ['leads', 'sales', 'unattributed', 'test'] as const
export type LeadTab = (typeof tabs)[number]

/**
 * The owner's tabs: all leads, sales, unattributed sales, and test sales once there are any; partners see only their
 * own leads.
 */
export function Leads() {
  const role = useAccountRole()
  const account = useAccount()
  const tab = useTab(tabs)
  const navigate = useNavigate()
  const { data } = useQuery({ ...anyTestSale(account.id), enabled: isTeam(role) })
  const hasTests = tab === 'test' || (data && data.items.length > 0)
  if (!isTeam(role)) {
    return (
      <Page heading={pageWords.leads} actions={account.partnerLeadSubmission && addLead}>
        <LeadList role={role} />
      </Page>
    )
  }
  const words = {
    leads: { label: pageWords.leads },
    sales: { label: fieldWords.sales },
    unattributed: { label: leadWords.unattributed },
    test: { label: leadWords.test },
  }
  return (
    <Page
      heading={pageWords.leads}
      actions={
        <>
          <LinkButton needs={createImport} to="/account/import" search={{ kind: tab === 'leads' ? 'leads' : 'sales' }}>
            {pageWords.import}
          </LinkButton>
          <ActionMenu
            bordered
            label={leadWords.more}
            actions={[{ label: caseWords.desk, run: () => void navigate({ to: '/cases' }) }]}
          />
          {tab === 'sales' ? <AddSale accountId={account.id} /> : addLead}
        </>
      }
    >
      <Tabs
        label={leadWords.tabs}
        tabs={tabs.filter((key) => key !== 'test' || hasTests).map((key) => ({ key, ...words[key] }))}
        current={tab}
      >
        {tab === 'leads' && <LeadList role={role} />}
        {tab === 'sales' && <RevenueLines account={account} />}
        {tab === 'unattributed' && <UnattributedSales account={account} />}
        {tab === 'test' && <TestSales account={account} />}
      </Tabs>
    </Page>
  )
}
