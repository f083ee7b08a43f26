import { Link } from '@tanstack/react-router'
import { formatNumber } from '#contract/format.ts'
import type { Partner } from '#contract/partners.ts'
import { formatMoney } from '../../format.ts'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { GoButton } from '../../ui/GoButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatStrip } from '../../ui/StatStrip.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { pageWords } from '../../words/shell.ts'
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
      parent={<Link to="/partners">{pageWords.partners}</Link>}
      badge={<StatusBadge of="partner" status={state} />}
      about={<About partner={partner} />}
      actions={
        correctable && (
          <GoButton look="primary" go={{ to: '/partners/$partnerId/update', params: { partnerId: id } }}>
            {partnerWords.edit}
          </GoButton>
        )
      }
    >
      <Added partner={partner} />
      <StatStrip
        label={partnerWords.detail.figures({ name: displayName })}
        stats={[
          { label: fieldWords.subPartners, value: formatNumber(stats.numberOfPartners) },
          { label: fieldWords.leads, value: formatNumber(stats.numberOfLeads) },
          { label: fieldWords.sales, value: formatNumber(stats.numberOfSales) },
          { label: partnerWords.detail.ownShare, value: formatMoney(stats.salesRevenueShare, stats.currency) },
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
    <h2>{fieldWords.subPartners}</h2>
    <SubPartners partner={partner} />
  </>
)
