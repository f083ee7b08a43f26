import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { requestPromotionCode } from '#features/promotion-codes/contract.ts'
import { promotionCodesQuery } from '../../shared/queries.ts'
import { ShowMore } from '../../shared/ShowMore.tsx'
import { CallButton } from '../../ui/CallButton.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { dashboardWords } from '../../words/dashboard.ts'
import { AGAIN_MS, codeOfferQuery } from './queries.ts'

/** The discount codes a partner can hand out; hidden for partners who have none and can get none, which is most. */
export function YourPromotionCodes({ partnerId }: { partnerId: string }) {
  const { data: offer } = useQuery(codeOfferQuery(partnerId))
  const answer = useInfiniteQuery({
    ...promotionCodesQuery(partnerId),
    refetchInterval: offer?.waiting ? AGAIN_MS : (false as const),
  })
  const codes = answer.data?.pages.flatMap(({ items }) => items) ?? []
  if (codes.length === 0) {
    if (!offer || !(offer.offered || offer.waiting)) return null
    return (
      <Panel heading={dashboardWords.yourPromotionCodes}>
        <div className="stack inset">
          <p role="status">{offer.waiting ? dashboardWords.promotionCodeWaiting : dashboardWords.promotionCodeOffer}</p>
          {offer.offered && (
            <div className="row">
              <CallButton call={requestPromotionCode} input={{ params: { id: partnerId } }}>
                {dashboardWords.getPromotionCode}
              </CallButton>
            </div>
          )}
        </div>
      </Panel>
    )
  }
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
