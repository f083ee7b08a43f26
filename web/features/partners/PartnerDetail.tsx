import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { PendingPage } from '../../ui/PendingPage.tsx'
import { t } from '../../words.ts'
import { useRole } from '../../shell/current.ts'
import { OtherRole, useOtherRole } from '../shell/OtherRole.tsx'
import { partner } from './queries.ts'
import { ReducedPartner } from './ReducedPartner.tsx'
import { WholePartner } from './WholePartner.tsx'

/** One partner: to the owner everything, to a partner above him what he may see. */
export function PartnerDetail() {
  const { partnerId = '' } = useParams({ strict: false })
  const role = useRole()
  const answer = useQuery(partner(partnerId))
  const other = useOtherRole(answer.data?.accountId)
  const toList = <Link to="/partners">{t('pages.partners')}</Link>
  if (!answer.data) {
    return (
      <PendingPage
        shape="detail"
        heading={t('pages.partner')}
        parent={toList}
        answer={answer}
        gone={t('partners.detail.gone')}
      />
    )
  }
  if (other) return <OtherRole heading={t('pages.partner')} parent={toList} role={other} />
  return role?.type === 'account-owner' ? (
    <WholePartner key={partnerId} partner={answer.data} />
  ) : (
    <ReducedPartner key={partnerId} partner={answer.data} />
  )
}
