import { createImport } from '#contract/imports.ts'
import { RecruitingLink } from '../features/applications/RecruitingLink.tsx'
import { AddGroupButton, GroupList } from '../features/groups/GroupList.tsx'
import { addPartner, PartnerList } from '../features/partners/PartnerList.tsx'
import { isTeam } from '../shared/roles.ts'
import { usePartnerCounts } from '../shared/tab-counts.ts'
import { useAccount, useAccountRole } from '../shell/current.ts'
import { EntryPage } from '../shell/EntryPage.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { Page } from '../ui/Page.tsx'
import { useTab } from '../ui/Tabs.tsx'
import { pageWords } from '../words/shell.ts'

const ApplicationList = lazyComponent(
  async () => (await import('../features/applications/ApplicationList.tsx')).ApplicationList,
)

const AssetList = lazyComponent(async () => (await import('#features/assets/web/AssetList.tsx')).AssetList)
const AddAssetButton = lazyComponent(async () => (await import('#features/assets/web/AssetList.tsx')).AddAssetButton)

const AnnouncementList = lazyComponent(
  async () => (await import('#features/announcements/web/AnnouncementList.tsx')).AnnouncementList,
)
const NewAnnouncementButton = lazyComponent(
  async () => (await import('#features/announcements/web/AnnouncementList.tsx')).NewAnnouncementButton,
)

const CustomerList = lazyComponent(async () => (await import('#features/rewards/web/CustomerList.tsx')).CustomerList)

const tabs = ['partners', 'customers', 'groups', 'applications', 'announcements', 'assets'] as const
export type PartnersTab = (typeof tabs)[number]

/** The owner's lists of partners, of customers who refer customers, their groups, applications, announcements and assets; partners see only their sub-partners. */
export function Partners() {
  const role = useAccountRole()
  const account = useAccount()
  const tab = useTab(tabs)
  const counts = usePartnerCounts(account.id, isTeam(role))
  if (!isTeam(role)) {
    return (
      <Page heading={pageWords.partners} actions={account.invitationsFromPartners && addPartner}>
        <RecruitingLink partnerId={role.partnerId} />
        <PartnerList />
      </Page>
    )
  }
  const { list, actions } = {
    partners: {
      list: <PartnerList />,
      actions: (
        <>
          <LinkButton needs={createImport} to="/account/import" search={{ kind: 'partners' }}>
            {pageWords.import}
          </LinkButton>
          {addPartner}
        </>
      ),
    },
    customers: { list: <CustomerList />, actions: null },
    groups: { list: <GroupList />, actions: <AddGroupButton id={account.id} /> },
    applications: { list: <ApplicationList />, actions: null },
    announcements: { list: <AnnouncementList />, actions: <NewAnnouncementButton /> },
    assets: { list: <AssetList />, actions: <AddAssetButton /> },
  }[tab]
  return (
    <EntryPage counts={counts} actions={actions}>
      {list}
    </EntryPage>
  )
}
