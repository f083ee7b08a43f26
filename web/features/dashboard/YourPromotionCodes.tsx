import { useInfiniteQuery } from '@tanstack/react-query'
import { promotionCodes } from '../../shared/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { dashboardWords } from '../../words/dashboard.ts'
import styles from './Dashboard.module.css'

/** The discount codes a partner can hand out; hidden for partners without any, which is most. */
export function YourPromotionCodes({ partnerId }: { partnerId: string }) {
  const answer = useInfiniteQuery(promotionCodes(partnerId))
  const codes = answer.data?.pages.flatMap(({ items }) => items) ?? []
  if (codes.length === 0) return null
  return (
    <Panel heading={dashboardWords.yourPromotionCodes} aside={<small>{dashboardWords.yourPromotionCodesHelp}</small>}>
      <ul className={styles.cards}>
        {codes.map(({ id, code }) => (
          <li key={id}>
            <code className={styles.promotionCode}>{code}</code>
            <CopyButton small value={code} label={dashboardWords.copyPromotionCode({ code })} />
          </li>
        ))}
      </ul>
      {answer.hasNextPage && (
        <div className={styles.more}>
          <Button small busy={answer.isFetchingNextPage} onClick={() => answer.fetchNextPage()}>
            {dashboardWords.morePromotionCodes}
          </Button>
        </div>
      )}
    </Panel>
  )
}
