import { Link } from '@tanstack/react-router'
import { createPartner, type Partner } from '#contract/partners.ts'
import { Activity } from '../../shared/Activity.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { DateRangePicker, useDateRange } from '../../ui/DateRange.tsx'
import { GoButton } from '../../ui/GoButton.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Message } from '../../ui/Message.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Page, Together } from '../../ui/Page.tsx'
import { Tabs, useTab } from '../../ui/Tabs.tsx'
import { activityWords } from '../../words/activity.ts'
import { partnerWords } from '../../words/partners.ts'
import { pageWords } from '../../words/shell.ts'
import { About } from './About.tsx'
import { Added } from './Added.tsx'
import { Adjustment } from './Adjustment.tsx'
import { Commissions } from './Commissions.tsx'
import { Overview } from './Overview.tsx'
import { Owed } from './Owed.tsx'
import { PartnerLeads } from './PartnerLeads.tsx'
import { PartnerPayouts } from './PartnerPayouts.tsx'
import { Restore, usePartnerMenu } from './partner-actions.tsx'
import { SubPartners } from './SubPartners.tsx'
import { useTabWords } from './useTabWords.ts'

const Invoices = lazyComponent(async () => (await import('../../shell/InvoiceList.tsx')).PartnerInvoiceList)

const tabs = ['overview', 'sub-partners', 'leads', 'commissions', 'payouts', 'invoices', 'activity'] as const
export type WholePartnerTab = (typeof tabs)[number]

/** A partner's page for the owner: results, state and all actions. */
export function WholePartner({ partner }: { partner: Partner }) {
  const { id, displayName, state } = partner
  const tab = useTab(tabs)
  const account = useAccount()
  const range = useDateRange(account.timeZone)
  const menu = usePartnerMenu(partner)
  const words = { ...useTabWords(partner), activity: { label: activityWords.heading } }
  const stopped = state === 'suspended' || state === 'archived'
  return (
    <Page
      heading={displayName}
      parent={<Link to="/partners">{pageWords.partners}</Link>}
      badge={<StatusBadge of="partner" status={state} />}
      about={<About partner={partner} whole />}
      actions={
        <>
          {stopped && partner.erasedAt === null && <Restore partner={partner} />}
          <ActButton act={Adjustment} of={partner} />
          <GoButton needs={createPartner} go={{ to: '/partners/new', search: { parent: id } }}>
            {partnerWords.addSubPartner}
          </GoButton>
          <Together>
            <GoButton
              look="primary"
              needs={createPartner}
              go={{ to: '/partners/$partnerId/update', params: { partnerId: id } }}
            >
              {partnerWords.edit}
            </GoButton>
            <ActionMenu bordered name={displayName} of={partner} actions={menu} />
          </Together>
        </>
      }
    >
      <Added partner={partner} />
      <Owed partner={partner} />
      {stopped && <Message kind="warning">{partnerWords.detail[state]}</Message>}
      <Tabs
        label={partnerWords.detail.tabs}
        tabs={tabs
          // invoices once there is one
          .filter((key) => key !== 'invoices' || words.invoices.count || key === tab)
          .map((key) => ({ key, ...words[key] }))}
        current={tab}
        aside={tab === 'overview' && <DateRangePicker compared range={range} small />}
      >
        {tab === 'overview' && <Overview partner={partner} range={range} />}
        {tab === 'sub-partners' && <SubPartners partner={partner} whole />}
        {tab === 'leads' && <PartnerLeads partner={partner} whole />}
        {tab === 'commissions' && <Commissions partnerId={id} whole />}
        {tab === 'payouts' && <PartnerPayouts partner={partner} whole />}
        {tab === 'invoices' && <Invoices partnerId={id} />}
        {tab === 'activity' && <Activity account={account} page={displayName} subjectId={id} />}
      </Tabs>
    </Page>
  )
}
