import { useRole } from '../../shell/current.ts'
import { t } from '../../words.ts'
import { OnePartner } from './OnePartner.tsx'
import { ReducedPartner } from './ReducedPartner.tsx'
import { WholePartner } from './WholePartner.tsx'

/** One partner: to the owner everything, to a partner above them what they may see. */
export function PartnerDetail({ partnerId }: { partnerId: string }) {
  const Partner = useRole()?.type === 'account-owner' ? WholePartner : ReducedPartner
  return (
    <OnePartner id={partnerId} shape="detail" heading={t('pages.partner')}>
      {(partner) => <Partner partner={partner} />}
    </OnePartner>
  )
}
