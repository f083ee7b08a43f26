import { useQuery } from '@tanstack/react-query'
import type { Partner } from '#contract/partners.ts'
import { lastMonths, todayIn } from '../../format.ts'
import { Columns } from '../../ui/Columns.tsx'
import { useAccount } from '../shell/current.ts'
import { Balance } from './Balance.tsx'
import { Commission } from './Commission.tsx'
import { Figures } from './Figures.tsx'
import { daysBefore } from './figures.ts'
import { Invitation } from './Invitation.tsx'
import { PayoutDetails } from './PayoutDetails.tsx'
import { history } from './queries.ts'
import { YearlyApproval } from './YearlyApproval.tsx'

/** Results on the left, state on the right. */
export function Overview({ partner, onRecordForm }: { partner: Partner; onRecordForm: () => void }) {
  const { timeZone } = useAccount()
  const range = lastMonths(6, todayIn(timeZone))
  const answer = useQuery(history(partner.id, range))
  const before = useQuery(history(partner.id, daysBefore(range))).data
  return (
    <Columns
      aside={
        <>
          <Balance partner={partner} />
          <YearlyApproval partner={partner} />
          <PayoutDetails partner={partner} onRecordForm={onRecordForm} />
          <Invitation partner={partner} />
        </>
      }
    >
      <Figures partner={partner} answer={answer} before={before} />
      <Commission partner={partner} />
    </Columns>
  )
}
