import { Link } from '@tanstack/react-router'
import type { Partner } from '#contract/partners.ts'
import { formatCount, formatMoney } from '../../format.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { GoButton } from '../../ui/GoButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatStrip } from '../../ui/StatStrip.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { t } from '../../words.ts'
import { About } from './About.tsx'
import { Added } from './Added.tsx'
import { Invitation } from './Invitation.tsx'
import { mayCorrect } from './reduced.ts'
import { SubPartners } from './SubPartners.tsx'

/** A sub-partner's page for a partner above them: never rates, balance, leads or payouts. */
export function ReducedPartner({ partner }: { partner: Partner }) {
  const { id, displayName, state, stats } = partner
  const correctable = mayCorrect(partner)
  return (
    <Page
      heading={displayName}
      parent={<Link to="/partners">{t('pages.partners')}</Link>}
      badge={<StatusBadge of="partner" status={state} />}
      about={<About partner={partner} />}
      actions={
        correctable && (
          <GoButton look="primary" go={{ to: '/partners/$partnerId/update', params: { partnerId: id } }}>
            {t('partners.edit')}
          </GoButton>
        )
      }
    >
      <Added partner={partner} />
      <StatStrip
        label={t('partners.detail.figures', { name: displayName })}
        stats={[
          { label: t('partners.subPartners'), value: formatCount(stats.numberOfPartners) },
          { label: t('partners.leads'), value: formatCount(stats.numberOfLeads) },
          { label: t('partners.sales'), value: formatCount(stats.numberOfSales) },
          { label: t('partners.detail.ownShare'), value: formatMoney(stats.salesRevenueShare, stats.currency) },
        ]}
      />
      {correctable ? (
        <TwoColumns aside={<Invitation partner={partner} />}>
          <Below partner={partner} />
        </TwoColumns>
      ) : (
        <Below partner={partner} />
      )}
    </Page>
  )
}

const Below = ({ partner }: { partner: Partner }) => (
  <>
    <h2>{t('partners.subPartners')}</h2>
    <SubPartners partner={partner} />
  </>
)
