import type { Role } from '#contract/auth.ts'
import { createImport } from '#contract/imports.ts'
import { createSale } from '#contract/sales.ts'
import { createClaim } from '#features/claims/contract.ts'
import { claimWords } from '#features/claims/text.ts'
import { addLead, LeadList } from '../features/leads/LeadList.tsx'
import { RevenueLines } from '../features/sales/RevenueLines.tsx'
import { TestSales, UnattributedSales } from '../features/sales/UnattributedSales.tsx'
import { searchText } from '../lists/table-state.ts'
import { isAtPartner, isTeam } from '../shared/roles.ts'
import { useLeadCounts } from '../shared/tab-counts.ts'
import { useAccount, useAccountRole } from '../shell/current.ts'
import { EntryPage } from '../shell/EntryPage.tsx'
import { Button } from '../ui/Button.tsx'
import { AddButton } from '../ui/GoButton.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { Page } from '../ui/Page.tsx'
import { useTab } from '../ui/Tabs.tsx'
import { useAddress } from '../ui/useAddress.ts'
import { pageWords } from '../words/shell.ts'

const MissingSale = lazyComponent(async () => (await import('#features/claims/web/MissingSale.tsx')).MissingSale)

const tabs = ['leads', 'sales', 'unattributed', 'test'] as const
export type LeadTab = (typeof tabs)[number]

/** The owner's lists of leads, sales, unattributed and test sales; partners see only their own leads. */
export function Leads() {
  const role = useAccountRole()
  const account = useAccount()
  const tab = useTab(tabs)
  const counts = useLeadCounts(account.id, isTeam(role))
  if (!isTeam(role)) return <OwnLeads role={role} />
  return (
    <EntryPage
      counts={counts}
      actions={
        <>
          <LinkButton needs={createImport} to="/account/import" search={{ kind: tab === 'leads' ? 'leads' : 'sales' }}>
            {pageWords.import}
          </LinkButton>
          {tab === 'sales' ? addSale : addLead}
        </>
      }
    >
      {tab === 'leads' && <LeadList role={role} />}
      {tab === 'sales' && <RevenueLines account={account} />}
      {tab === 'unattributed' && <UnattributedSales account={account} />}
      {tab === 'test' && <TestSales account={account} />}
    </EntryPage>
  )
}

const addSale = (
  <AddButton needs={createSale} go={{ to: '/leads/new-sale' }}>
    {pageWords.addSale}
  </AddButton>
)

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
