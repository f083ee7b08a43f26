import { isAtPartner, isTeam } from '../../shared/roles.ts'
import { useRole } from '../../shell/current.ts'
import { pageWords } from '../../words/shell.ts'
import { OnePartner } from './OnePartner.tsx'
import { OwnPartner } from './OwnPartner.tsx'
import { ReducedPartner } from './ReducedPartner.tsx'
import { WholePartner } from './WholePartner.tsx'

/**
 * One partner: the whole record for the owner, the own view for the partner, a reduced one for a partner above them.
 */
export function PartnerDetail({ partnerId }: { partnerId: string }) {
  const role = useRole()
  const isOwn = isAtPartner(role) && role.partnerId === partnerId
  const Partner = isTeam(role) ? WholePartner : isOwn ? OwnPartner : ReducedPartner
  return (
    <OnePartner id={partnerId} shape="detail" heading={pageWords.partner}>
      {(partner) => <Partner partner={partner} />}
    </OnePartner>
  )
}
