import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { approveForTaxYear } from '#contract/tax-years.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { Message } from '../../ui/Message.tsx'
import { toastWords } from '../../words/shell.ts'
import { yearReportWords } from '../../words/year-report.ts'
import styles from './Payouts.module.css'
import { toApprove } from './queries.ts'

type Props = { accountId: string; year: number }

/**
 * Shown in December: the number of partners not approved for the next year, their list, and a button to approve all.
 */
export function NextYear({ accountId, year, isShown }: Props & { isShown: boolean }) {
  const count = useQuery(toApprove(accountId, year)).data?.totals.partners ?? 0
  const [asking, setAsking] = useState(false)
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
            <Button small onClick={() => setAsking(true)}>
              {yearReportWords.approveAll({ count, year })}
            </Button>
          </span>
        }
      >
        {yearReportWords.waiting({ count, year })}
      </Message>
      {asking && <ApproveAll {...{ accountId, year, count, onClose: () => setAsking(false) }} />}
    </div>
  )
}

function ApproveAll({ accountId, year, count, onClose }: Props & { count: number; onClose: () => void }) {
  const call = useDialogCall(approveForTaxYear, {
    done: ({ partnerIds }) => toastWords.approvedForYear({ count: partnerIds.length, year }),
    onClose,
  })
  return (
    <Confirm
      heading={yearReportWords.approveAll({ count, year })}
      confirm={yearReportWords.approveAll({ count, year })}
      call={call}
      onConfirm={() => call.mutate({ params: { id: accountId, year: String(year) }, body: { all: true } })}
      onClose={onClose}
    >
      {yearReportWords.approveAllWhy({ count, last: year - 1 })}
    </Confirm>
  )
}
