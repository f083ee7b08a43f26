import { useQuery } from '@tanstack/react-query'
import type { Partner } from '#contract/partners.ts'
import { partnerHistory } from '../../shared/queries.ts'
import type { DateRangeState } from '../../ui/DateRange.tsx'
import { comparedWith } from '../../ui/date-ranges.ts'
import { Panel } from '../../ui/Panel.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { t } from '../../words.ts'
import { Balance } from './Balance.tsx'
import { Figures } from './Figures.tsx'
import { Invitation } from './Invitation.tsx'
import { PartnerCommission } from './PartnerCommission.tsx'
import styles from './Partners.module.css'
import { PayoutDetails } from './PayoutDetails.tsx'
import { PromotionCodes } from './PromotionCodes.tsx'
import { YearlyApproval } from './YearlyApproval.tsx'

type Props = { partner: Partner; range: DateRangeState; onRecordForm: () => void }

/** Results on the left, state on the right. */
export function Overview({ partner, range, onRecordForm }: Props) {
  const answer = useQuery(partnerHistory(partner.id, range))
  const before = useQuery(partnerHistory(partner.id, comparedWith(range))).data
  return (
    <TwoColumns
      aside={
        <>
          <Balance partner={partner} />
          <YearlyApproval partner={partner} />
          <PayoutDetails partner={partner} onRecordForm={onRecordForm} />
          <PromotionCodes partner={partner} />
          <Invitation partner={partner} />
          {partner.note && (
            <Panel heading={t('fields.note')}>
              <p className={styles.note}>{partner.note}</p>
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
