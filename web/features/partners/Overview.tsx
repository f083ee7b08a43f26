import { useQuery } from '@tanstack/react-query'
import { listPartnerMembers } from '#contract/members.ts'
import type { Partner } from '#contract/partners.ts'
import { partnerHistoryQuery } from '../../shared/queries.ts'
import type { DateRangeState } from '../../ui/DateRange.tsx'
import { comparedWith } from '../../ui/date-ranges.ts'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { labelWords } from '../../words/fields.ts'
import { Balance } from './Balance.tsx'
import { CameBy } from './CameBy.tsx'
import { Figures } from './Figures.tsx'
import { Invitation } from './Invitation.tsx'
import { PartnerCommission } from './PartnerCommission.tsx'
import { PartnerLinks } from './PartnerLinks.tsx'
import styles from './Partners.module.css'
import { Setup } from './Setup.tsx'

const PartnerPeople = lazyComponent(async () => (await import('../../shell/PartnerPeople.tsx')).PartnerPeople)

type Props = { partner: Partner; range: DateRangeState }

/** Results on the left; balance, links and setup on the right. */
export function Overview({ partner, range }: Props) {
  const answer = useQuery(partnerHistoryQuery(partner.id, range))
  const may = usePermission()
  const before = useQuery(partnerHistoryQuery(partner.id, comparedWith(range))).data
  return (
    <TwoColumns
      aside={
        <>
          <Balance partner={partner} />
          <PartnerLinks partner={partner} />
          {partner.erasedAt === null && partner.invitationStatus !== 'accepted' && <Invitation partner={partner} />}
          <Setup partner={partner} />
          <CameBy partner={partner} />
          {may(listPartnerMembers) && <PartnerPeople partner={partner} />}
          {partner.note && (
            <Panel heading={labelWords.note}>
              <p className={`inset wrap ${styles.note}`}>{partner.note}</p>
            </Panel>
          )}
        </>
      }
    >
      <Figures partner={partner} range={range} answer={answer} before={before} />
      <PartnerCommission partner={partner} />
    </TwoColumns>
  )
}
