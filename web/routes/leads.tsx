import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Role } from '#contract/auth.ts'
import { createClaim, listClaims } from '#contract/claims.ts'
import { listCases } from '#contract/fraud-cases.ts'
import { createImport } from '#contract/imports.ts'
import { addLead, LeadList } from '../features/leads/LeadList.tsx'
import { AddSale } from '../features/sales/AddSale.tsx'
import { anyTestSaleQuery } from '../features/sales/queries.ts'
import { RevenueLines } from '../features/sales/RevenueLines.tsx'
import { TestSales, UnattributedSales } from '../features/sales/UnattributedSales.tsx'
import { searchText } from '../lists/table-state.ts'
import { isAtPartner, isTeam } from '../shared/roles.ts'
import { useAccount, useAccountRole } from '../shell/current.ts'
import { ActionMenu } from '../ui/ActionMenu.tsx'
import { Button } from '../ui/Button.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { Page, Together } from '../ui/Page.tsx'
import { Tabs, useTab } from '../ui/Tabs.tsx'
import { useAddress } from '../ui/useAddress.ts'
import { basicWords } from '../words/basic.ts'
import { claimWords } from '../words/claims.ts'
import { fieldWords } from '../words/fields.ts'
import { caseWords } from '../words/fraud-cases.ts'
import { leadWords } from '../words/leads.ts'
import { pageWords } from '../words/shell.ts'

const MissingSale = lazyComponent(async () => (await import('../features/claims/MissingSale.tsx')).MissingSale)

const tabs = ['leads', 'sales', 'unattributed', 'test'] as const
export type LeadTab = (typeof tabs)[number]

/**
 * The owner's tabs: all leads, sales, unattributed sales, and test sales once there are any; partners see only their
 * own leads.
 */
export function Leads() {
  const role = useAccountRole()
  const account = useAccount()
  const navigate = useNavigate()
  const tab = useTab(tabs)
  const { data } = useQuery({ ...anyTestSaleQuery(account.id), enabled: isTeam(role) })
  const hasTests = tab === 'test' || (data && data.items.length > 0)
  if (!isTeam(role)) return <OwnLeads role={role} />
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
          <Together>
            {tab === 'sales' ? <AddSale accountId={account.id} /> : addLead}
            <ActionMenu
              bordered
              label={basicWords.actions.more}
              actions={[
                { label: caseWords.desk, needs: listCases, run: () => navigate({ to: '/cases' }) },
                { label: pageWords.claims, needs: listClaims, run: () => navigate({ to: '/claims' }) },
              ]}
            />
          </Together>
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

/** A partner's own leads, and their claims of missing sales, which `claims` in the address opens. */
function OwnLeads({ role }: { role: Role }) {
  const account = useAccount()
  const { params, change } = useAddress()
  const partnerId = isAtPartner(role) ? role.partnerId : undefined
  return (
    <Page
      heading={pageWords.leads}
      actions={
        <>
          <Button needs={createClaim} onClick={() => change({ claims: 'true' })}>
            {claimWords.missing}
          </Button>
          {account.partnerLeadSubmission && addLead}
        </>
      }
    >
      <LeadList role={role} />
      <MissingSale.OnUse />
      {partnerId && searchText(params.claims) && (
        <MissingSale partnerId={partnerId} onClose={() => change({ claims: undefined })} />
      )}
    </Page>
  )
}
