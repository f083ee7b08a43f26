import { createImport } from '#contract/imports.ts'
import { AddGroupButton, GroupList } from '../features/groups/GroupList.tsx'
import { addPartner, PartnerList } from '../features/partners/PartnerList.tsx'
import { isTeam } from '../shared/roles.ts'
import { useAccount, useAccountRole } from '../shell/current.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Page } from '../ui/Page.tsx'
import { Tabs, useTab } from '../ui/Tabs.tsx'
import { groupWords } from '../words/groups.ts'
import { pageWords } from '../words/shell.ts'

const tabs = ['partners', 'groups'] as const
export type PartnersTab = (typeof tabs)[number]

/** The owner's tabs: all partners, and their groups; partners see only their sub-partners. */
export function Partners() {
  const role = useAccountRole()
  const account = useAccount()
  const tab = useTab(tabs)
  if (!isTeam(role)) {
    return (
      <Page heading={pageWords.partners} actions={account.invitationsFromPartners && addPartner}>
        <PartnerList />
      </Page>
    )
  }
  const words = { partners: pageWords.partners, groups: groupWords.tab }
  const ofPartners = (
    <>
      <LinkButton needs={createImport} to="/account/import" search={{ kind: 'partners' }}>
        {pageWords.import}
      </LinkButton>
      {addPartner}
    </>
  )
  return (
    <Page heading={pageWords.partners} actions={tab === 'partners' ? ofPartners : <AddGroupButton id={account.id} />}>
      <Tabs label={groupWords.tabs} tabs={tabs.map((key) => ({ key, label: words[key] }))} current={tab}>
        {tab === 'partners' ? <PartnerList /> : <GroupList account={account} />}
      </Tabs>
    </Page>
  )
}
