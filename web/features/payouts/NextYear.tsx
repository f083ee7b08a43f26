import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { approveForTaxYear } from '#features/tax-years/contract.ts'
import { defineAction } from '../../ui/act.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { Message } from '../../ui/Message.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { toastWords } from '../../words/shell.ts'
import { yearReportWords } from '../../words/year-report.ts'
import styles from './Payouts.module.css'
import { payoutsToApproveQuery } from './queries.ts'

type Props = { accountId: string; year: number }

/**
 * Shown in December: the number of partners not approved for the next year, their list, and a button to approve all.
 */
export function NextYear({ accountId, year, isShown }: Props & { isShown: boolean }) {
  const may = usePermission()
  const { data } = useQuery({ ...payoutsToApproveQuery(accountId, year), enabled: may(approveForTaxYear) })
  const shown = data?.partnerIds ?? []
  const count = shown.length
  if (count === 0) return null
  return (
    <div className={styles.above}>
      <Message
        kind="info"
        action={
          <span className="row gap-3">
            {!isShown && (
              <Link to="/payouts" search={{ tab: 'year-report', year: String(year), toApprove: 'true' }}>
                {yearReportWords.review}
              </Link>
            )}
            <ActButton small act={ApproveAll} of={{ accountId, year, shown }} />
          </span>
        }
      >
        {yearReportWords.waiting({ count, year })}
      </Message>
    </div>
  )
}

const ApproveAll = exposeAction(
  defineAction(
    approveForTaxYear,
    ({ accountId, year, shown, shown: { length: count } }: Props & { shown: string[] }) => ({
      heading: yearReportWords.approveAll({ count, year }),
      why: yearReportWords.approveAllWhy({ count, last: year - 1 }),
      done: ({ partnerIds }) => toastWords.approvedForYear({ count: partnerIds.length, year }),
      send: { params: { id: accountId, year: String(year) }, body: { all: true as const, shown } },
    }),
  ),
  { label: ({ shown, year }) => yearReportWords.approveAll({ count: shown.length, year }) },
)
