import { useInfiniteQuery } from '@tanstack/react-query'
import { promotionCodes } from '../../shared/queries.ts'
import { ShowMore } from '../../shared/ShowMore.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { dashboardWords } from '../../words/dashboard.ts'

/** The discount codes a partner can hand out; hidden for partners without any, which is most. */
export function YourPromotionCodes({ partnerId }: { partnerId: string }) {
  const answer = useInfiniteQuery(promotionCodes(partnerId))
  const codes = answer.data?.pages.flatMap(({ items }) => items) ?? []
  if (codes.length === 0) return null
  return (
    <Panel heading={dashboardWords.yourPromotionCodes} aside={<small>{dashboardWords.yourPromotionCodesHelp}</small>}>
      <ul className="items">
        {codes.map(({ id, code }) => (
          <li key={id} className="row">
            <code className="rest wrap">{code}</code>
            <CopyButton small value={code} label={dashboardWords.copyPromotionCode({ code })} />
          </li>
        ))}
      </ul>
      <ShowMore answer={answer}>{dashboardWords.morePromotionCodes}</ShowMore>
    </Panel>
  )
}
