import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createImport } from '#contract/imports.ts'
import { waitingCountQuery } from '../features/applications/queries.ts'
import { RecruitingLink } from '../features/applications/RecruitingLink.tsx'
import { AddGroupButton, GroupList } from '../features/groups/GroupList.tsx'
import { addPartner, PartnerList } from '../features/partners/PartnerList.tsx'
import { isTeam } from '../shared/roles.ts'
import { useAccount, useAccountRole } from '../shell/current.ts'
import { ActionMenu } from '../ui/ActionMenu.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { lazyComponent } from '../ui/lazy-part.tsx'
import { Page, Together } from '../ui/Page.tsx'
import { Tabs, useTab } from '../ui/Tabs.tsx'
import { announcementWords } from '../words/announcements.ts'
import { applicationWords } from '../words/applications.ts'
import { assetWords } from '../words/assets.ts'
import { basicWords } from '../words/basic.ts'
import { groupWords } from '../words/groups.ts'
import { pageWords } from '../words/shell.ts'

const ApplicationList = lazyComponent(
  async () => (await import('../features/applications/ApplicationList.tsx')).ApplicationList,
)

const AssetList = lazyComponent(async () => (await import('../features/assets/AssetList.tsx')).AssetList)
const AddAssetButton = lazyComponent(async () => (await import('../features/assets/AssetList.tsx')).AddAssetButton)

const AnnouncementList = lazyComponent(
  async () => (await import('../features/announcements/AnnouncementList.tsx')).AnnouncementList,
)
const NewAnnouncementButton = lazyComponent(
  async () => (await import('../features/announcements/AnnouncementList.tsx')).NewAnnouncementButton,
)

const tabs = ['partners', 'groups', 'applications', 'announcements', 'assets'] as const
export type PartnersTab = (typeof tabs)[number]

/** The owner's tabs: all partners, their groups, applications, announcements and assets; partners see only their sub-partners. */
export function Partners() {
  const role = useAccountRole()
  const account = useAccount()
  const tab = useTab(tabs)
  const router = useRouter()
  const { data: waiting } = useQuery({ ...waitingCountQuery(account.id), enabled: isTeam(role) })
  if (!isTeam(role)) {
    return (
      <Page heading={pageWords.partners} actions={account.invitationsFromPartners && addPartner}>
        <RecruitingLink partnerId={role.partnerId} />
        <PartnerList />
      </Page>
    )
  }
  const ofTab: Record<PartnersTab, { label: string; count?: number; warns?: boolean; list: ReactNode }> = {
    partners: { label: pageWords.partners, list: <PartnerList /> },
    groups: { label: groupWords.tab, list: <GroupList account={account} /> },
    applications: { label: applicationWords.tab, count: waiting, warns: true, list: <ApplicationList /> },
    announcements: { label: announcementWords.tab, list: <AnnouncementList /> },
    assets: { label: assetWords.tab, list: <AssetList /> },
  }
  const menu = [{ label: pageWords.promotionCodes, run: () => void router.navigate({ to: '/promotion-codes' }) }]
  const ofPartners = (
    <>
      <LinkButton needs={createImport} to="/account/import" search={{ kind: 'partners' }}>
        {pageWords.import}
      </LinkButton>
      <Together>
        {addPartner}
        <ActionMenu bordered label={basicWords.actions.more} actions={menu} />
      </Together>
    </>
  )
  const actions = {
    partners: ofPartners,
    groups: <AddGroupButton id={account.id} />,
    applications: null,
    announcements: <NewAnnouncementButton />,
    assets: <AddAssetButton />,
  }
  return (
    <Page heading={pageWords.partners} actions={actions[tab]}>
      <Tabs label={groupWords.tabs} tabs={tabs.map((key) => ({ key, ...ofTab[key] }))} current={tab}>
        {ofTab[tab].list}
      </Tabs>
    </Page>
  )
}
