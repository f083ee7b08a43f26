import { useRole } from '../../shell/current.ts'
import { t } from '../../words.ts'
import { OnePartner } from './OnePartner.tsx'
import { OwnPartner } from './OwnPartner.tsx'
import { ReducedPartner } from './ReducedPartner.tsx'
import { WholePartner } from './WholePartner.tsx'

/** One partner: to the owner everything, to themselves what is theirs, to a partner above them what they may see. */
export function PartnerDetail({ partnerId }: { partnerId: string }) {
  const role = useRole()
  const isOwn = role?.type === 'partner' && role.partnerId === partnerId
  const Partner = role?.type === 'account-owner' ? WholePartner : isOwn ? OwnPartner : ReducedPartner
  return (
    <OnePartner id={partnerId} shape="detail" heading={t('pages.partner')}>
      {(partner) => <Partner partner={partner} />}
    </OnePartner>
  )
}
